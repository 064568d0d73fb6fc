// What can be quoted: each public path whose price follows from its JSON body.
import { anthropicMessages, readMessages } from '../../protocols/anthropic-messages/index.ts';
import { openaiSpeech, readSpeech } from '../../protocols/openai-audio/index.ts';
import { openaiChat, readChat } from '../../protocols/openai-chat/index.ts';
import { openaiCompletions, readCompletion } from '../../protocols/openai-completions/index.ts';
import { openaiEmbeddings, readEmbedding } from '../../protocols/openai-embeddings/index.ts';
import { imageEdits, imageGenerations, readGeneration, readJsonEdit } from '../../protocols/openai-images/index.ts';
import { openaiModerations, readModeration } from '../../protocols/openai-moderations/index.ts';
import { openaiResponses, readResponse } from '../../protocols/openai-responses/index.ts';
import type { Protocol, RelayRequest } from '../../protocols/protocol.ts';
import { readGeneration as readVideoGeneration } from '../../protocols/video-generations/read-request.ts';
import { readVideoJson } from '../../protocols/videos/read-json-request.ts';
import type { VideoRequest } from '../../neutral/video.ts';
import { quoteTask } from '../../tasks/quote-task.ts';
import { readRerank, rerank } from '../../protocols/rerank/index.ts';
import { type Quote, quote } from '../../relay/quote.ts';
import type { EndpointDependencies, Exchange } from '../endpoint.ts';

/** Throws the error that the request itself would get. */
export type Quotable = (dependencies: EndpointDependencies, exchange: Exchange, body: Buffer) => Quote | Promise<Quote>;

const relayed =
  (protocol: Protocol, read: (body: Buffer) => RelayRequest): Quotable =>
  ({ catalogue, relay: { ledger } }, { principal }, body) =>
    quote({ catalogue: catalogue.current, ledger }, principal, { protocol, request: read(body) });

const task =
  (read: (body: Buffer) => VideoRequest): Quotable =>
  ({ catalogue }, { principal }, body) =>
    quoteTask(catalogue.current, principal, read(body));

export const quotable: Readonly<Record<string, Quotable>> = {
  '/v1/chat/completions': relayed(openaiChat, readChat),
  '/v1/completions': relayed(openaiCompletions, readCompletion),
  '/v1/responses': relayed(openaiResponses, readResponse),
  '/v1/messages': relayed(anthropicMessages, readMessages),
  '/v1/embeddings': relayed(openaiEmbeddings, readEmbedding),
  '/v1/moderations': relayed(openaiModerations, readModeration),
  '/v1/rerank': relayed(rerank, (body) => readRerank(body, 'plain')),
  '/v1/images/generations': relayed(imageGenerations, readGeneration),
  '/v1/images/edits': relayed(imageEdits, readJsonEdit),
  '/v1/edits': relayed(imageEdits, readJsonEdit),
  '/v1/audio/speech': relayed(openaiSpeech, readSpeech),
  '/v1/video/generations': task(readVideoGeneration),
  '/v1/videos': task(readVideoJson),
};
