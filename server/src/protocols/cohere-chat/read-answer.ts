// What a whole answer of /v2/chat says: whether it is one, and its usage.
import { readField } from '../../shared/json-fields.ts';
import { countTextIn, scanAnswer } from '../json/json-answer.ts';
import type { WholeAnswer } from '../protocol.ts';
import type { TextFields } from '../stream/count-text.ts';
import { isDoubtful, readUsage } from './usage.ts';

/** Where messages and events hold what the model made. */
export const COHERE_TEXT: TextFields = {
  each: { text: 'text', thinking: 'text', tool_plan: 'text', arguments: 'text', citations: 'skip', logprobs: 'skip' },
};

export function readCohereAnswer(bytes: Buffer): WholeAnswer | undefined {
  const json = scanAnswer(bytes);
  const message = json?.fields.get('message');
  if (json === undefined || message?.kind !== 'object') return undefined;
  const reported = readField(json, 'usage');
  return {
    usage: readUsage(reported),
    ...(isDoubtful(reported) && { isDoubtful: true }),
    hasError: readField(json, 'finish_reason') === 'ERROR',
    outputBytes: countTextIn(json, message, COHERE_TEXT),
  };
}
