// The paths that lines of a batch may be for (contract-2 8), with how a body is read and checked.
import { anthropicMessages, readMessages } from '../../protocols/anthropic-messages/index.ts';
import { openaiChat, readChat } from '../../protocols/openai-chat/index.ts';
import { openaiCompletions, readCompletion } from '../../protocols/openai-completions/index.ts';
import { openaiEmbeddings, readEmbedding } from '../../protocols/openai-embeddings/index.ts';
import { openaiModerations, readModeration } from '../../protocols/openai-moderations/index.ts';
import { openaiResponses, readResponse } from '../../protocols/openai-responses/index.ts';
import type { Protocol, RelayRequest } from '../../protocols/protocol.ts';
import { readRerank, rerank } from '../../protocols/rerank/index.ts';

export interface LineKind {
  protocol: Protocol;
  read(body: Buffer): RelayRequest & { previousResponseId?: string | undefined };
}

export const lineKinds: Readonly<Record<string, LineKind>> = {
  '/v1/chat/completions': { protocol: openaiChat, read: readChat },
  '/v1/responses': { protocol: openaiResponses, read: readResponse },
  '/v1/completions': { protocol: openaiCompletions, read: readCompletion },
  '/v1/embeddings': { protocol: openaiEmbeddings, read: readEmbedding },
  '/v1/moderations': { protocol: openaiModerations, read: readModeration },
  '/v1/messages': { protocol: anthropicMessages, read: readMessages },
  '/v1/rerank': { protocol: rerank, read: (body) => readRerank(body, 'plain') },
};

export function kindOf(endpoint: string): LineKind | undefined {
  return Object.hasOwn(lineKinds, endpoint) ? lineKinds[endpoint] : undefined;
}
