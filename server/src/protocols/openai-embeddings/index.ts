// The embeddings protocol: nothing but the list of its parts.
import { errorEvent, readComplaint } from '../openai-chat/error.ts';
import type { Protocol } from '../protocol.ts';
import type { EmbeddingClientSide, EmbeddingUpstreamSide } from '../translation/translate-embedding.ts';
import { readEmbeddingAnswer } from './read-answer.ts';
import { readResult, writeResult, writeEmbeddingRequest } from './translate.ts';

export { readEmbedding } from './read-request.ts';

export const openaiEmbeddings: Protocol = {
  name: 'openai-embeddings',
  operation: 'embeddings',
  units: ['tokens', 'request'],
  answers: 'whole',
  readAnswer: readEmbeddingAnswer,
  readComplaint,
  errorEvent,
};

export const openaiEmbeddingsClient: EmbeddingClientSide = { dimensionsPath: 'dimensions', writeResult };

export const openaiEmbeddingsUpstream: EmbeddingUpstreamSide = {
  protocol: openaiEmbeddings,
  dimensionsFields: ['dimensions'],
  writeEmbeddingRequest,
  readResult,
};
