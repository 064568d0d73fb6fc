// The protocol of Cohere's /v2/embed: nothing but the list of its parts.
import { errorEvent, readComplaint } from '../cohere-chat/error.ts';
import type { Protocol } from '../protocol.ts';
import type { EmbeddingClientSide } from '../translation/translate-embedding.ts';
import { readEmbedAnswer } from './read-answer.ts';
import { writeResult } from './translate.ts';

export { readCohereEmbed } from './read-request.ts';

export const cohereEmbed: Protocol = {
  name: 'cohere-embed',
  operation: 'cohere-embed',
  units: ['tokens', 'request'],
  answers: 'whole',
  readAnswer: readEmbedAnswer,
  readComplaint,
  errorEvent,
};

export const cohereEmbedClient: EmbeddingClientSide = { dimensionsPath: 'output_dimension', writeResult };
