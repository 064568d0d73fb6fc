// What each public path speaks whose body alone makes the request: its protocol, and how the body is read. Endpoints serve
// this table; batches and quotes pick from it by their own lists.
import type { Form } from '../neutral/form.ts';
import { anthropicMessages, readMessages } from './anthropic-messages/index.ts';
import { cohereChat, readCohereChat } from './cohere-chat/index.ts';
import { cohereEmbed, readCohereEmbed } from './cohere-embed/index.ts';
import {
  openaiSpeech,
  openaiTranscriptions,
  openaiTranslations,
  readSpeech,
  readTranscription,
} from './openai-audio/index.ts';
import { openaiChat, readChat } from './openai-chat/index.ts';
import { openaiCompletions, readCompletion } from './openai-completions/index.ts';
import { openaiEmbeddings, readEmbedding } from './openai-embeddings/index.ts';
import {
  imageEdits,
  imageGenerations,
  imageVariations,
  readFormEdit,
  readFormVariation,
  readGeneration,
  readJsonEdit,
} from './openai-images/index.ts';
import { openaiModerations, readModeration } from './openai-moderations/index.ts';
import { openaiResponses, readResponse } from './openai-responses/index.ts';
import type { Protocol, RelayRequest } from './protocol.ts';
import { readRerank, rerank } from './rerank/index.ts';

export interface JsonPath {
  protocol: Protocol;
  read(body: Buffer): RelayRequest & { previousResponseId?: string | undefined };
}

export type JsonPathName = keyof typeof jsonPaths;

export const jsonPaths = {
  '/v1/chat/completions': { protocol: openaiChat, read: readChat },
  '/v1/completions': { protocol: openaiCompletions, read: readCompletion },
  '/v1/responses': { protocol: openaiResponses, read: readResponse },
  '/v1/messages': { protocol: anthropicMessages, read: readMessages },
  '/v2/chat': { protocol: cohereChat, read: readCohereChat },
  '/v1/embeddings': { protocol: openaiEmbeddings, read: readEmbedding },
  '/v2/embed': { protocol: cohereEmbed, read: readCohereEmbed },
  '/v1/moderations': { protocol: openaiModerations, read: readModeration },
  '/v1/rerank': { protocol: rerank, read: (body: Buffer) => readRerank(body, 'plain') },
  // The same, with what the library of that version shows beside it.
  '/v2/rerank': { protocol: rerank, read: (body: Buffer) => readRerank(body, 'v2') },
  '/v1/images/generations': { protocol: imageGenerations, read: readGeneration },
  '/v1/images/edits': { protocol: imageEdits, read: readJsonEdit },
  '/v1/audio/speech': { protocol: openaiSpeech, read: readSpeech },
} satisfies Record<string, JsonPath>;

interface FormPath {
  protocol: Protocol;
  read(form: Form): RelayRequest | Promise<RelayRequest>;
}

export const formPaths = {
  '/v1/images/edits': { protocol: imageEdits, read: readFormEdit },
  '/v1/images/variations': { protocol: imageVariations, read: readFormVariation },
  '/v1/audio/transcriptions': { protocol: openaiTranscriptions, read: readTranscription },
  '/v1/audio/translations': { protocol: openaiTranslations, read: readTranscription },
} satisfies Record<string, FormPath>;
