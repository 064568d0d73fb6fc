// The protocols in which text can be asked for. A request of one can be put to an upstream of any other.
import { anthropicMessagesClient, anthropicMessagesUpstream } from './anthropic-messages/index.ts';
import { bedrockConverseUpstream } from './bedrock-converse/index.ts';
import { cohereChatClient } from './cohere-chat/index.ts';
import { geminiClient, geminiUpstream } from './gemini-generate-content/index.ts';
import { openaiChatClient, openaiChatUpstream } from './openai-chat/index.ts';
import { openaiCompletionsClient, openaiCompletionsUpstream } from './openai-completions/index.ts';
import { openaiResponsesClient, openaiResponsesUpstream } from './openai-responses/index.ts';
import type { Operation } from './protocol.ts';
import type { ClientSide, UpstreamSide } from './text-protocol.ts';

export interface TextProtocol {
  /** Absent where no client speaks it: it is only translated into. */
  client?: ClientSide;
  /** Absent where no upstream is asked in it on behalf of others. */
  upstream?: UpstreamSide;
}

/** In the order in which an upstream that speaks several is asked. */
export const textProtocols: ReadonlyMap<Operation, TextProtocol> = new Map<Operation, TextProtocol>([
  ['chat', { client: openaiChatClient, upstream: openaiChatUpstream }],
  ['responses', { client: openaiResponsesClient, upstream: openaiResponsesUpstream }],
  ['messages', { client: anthropicMessagesClient, upstream: anthropicMessagesUpstream }],
  ['generate-content', { client: geminiClient, upstream: geminiUpstream }],
  ['converse', { upstream: bedrockConverseUpstream }],
  ['cohere-chat', { client: cohereChatClient }],
  ['completions', { client: openaiCompletionsClient, upstream: openaiCompletionsUpstream }],
]);
