// The moderations protocol: one verdict per input.
import { readField } from '../../shared/json-fields.ts';
import { errorEvent, readComplaint } from '../openai-chat/error.ts';
import { readInputUsage } from '../openai-embeddings/read-answer.ts';
import type { Protocol, WholeAnswer } from '../protocol.ts';
import { holdsError, scanAnswer } from '../json/json-answer.ts';

export { readModeration } from './read-request.ts';

export const openaiModerations: Protocol = {
  name: 'openai-moderations',
  operation: 'moderations',
  units: ['tokens', 'request'],
  answers: 'whole',
  readAnswer: readModerationAnswer,
  readComplaint,
  errorEvent,
};

/** The real service tells no usage; others do. */
function readModerationAnswer(bytes: Buffer): WholeAnswer | undefined {
  const json = scanAnswer(bytes);
  if (json === undefined) return undefined;
  const hasError = holdsError(json);
  if (!hasError && json.fields.get('results')?.kind !== 'array') return undefined;
  return { usage: readInputUsage(readField(json, 'usage')), hasError, outputBytes: 0 };
}
