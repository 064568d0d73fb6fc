// The moderations protocol: one verdict per input.
import { errorEvent, readComplaint } from '../openai-chat/error.ts';
import { readInputAnswer } from '../openai-embeddings/read-answer.ts';
import type { Protocol } from '../protocol.ts';

export { readModeration } from './read-request.ts';

export const openaiModerations: Protocol = {
  name: 'openai-moderations',
  operation: 'moderations',
  units: ['tokens', 'request'],
  answers: 'whole',
  // The real service tells no usage; others do.
  readAnswer: (body) => readInputAnswer(body, 'results'),
  readComplaint,
  errorEvent,
};
