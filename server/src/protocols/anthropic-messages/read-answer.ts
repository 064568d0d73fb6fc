// What a whole answer of this protocol says: its usage, and whether it is an answer.
import { readField } from '../../shared/json-fields.ts';
import { countTextIn, holdsError, scanAnswer } from '../json/json-answer.ts';
import type { WholeAnswer } from '../protocol.ts';
import { isDoubtful, readUsage } from './usage.ts';
import { readExtras } from './read-extras.ts';
import { CONTENT_TEXT } from './wire.ts';

export function readMessagesAnswer(bytes: Buffer): WholeAnswer | undefined {
  const json = scanAnswer(bytes);
  if (json === undefined) return undefined;
  const hasError = holdsError(json) || readField(json, 'type') === 'error';
  const content = json.fields.get('content');
  if (!hasError && content?.kind !== 'array') return undefined;
  const reported = readField(json, 'usage');
  const extras = readExtras(reported);
  return {
    usage: readUsage(reported),
    ...(isDoubtful(reported) && { isDoubtful: true }),
    ...(extras !== undefined && { extras }),
    hasError,
    outputBytes: countTextIn(json, content, CONTENT_TEXT),
  };
}
