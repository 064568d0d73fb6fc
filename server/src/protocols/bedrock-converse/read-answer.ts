// What a whole answer says: its usage, and whether it is an answer.
import { asRecord, parseRecord } from '../json/json-value.ts';
import type { WholeAnswer } from '../protocol.ts';
import { countText } from '../stream/count-text.ts';
import { isDoubtful, readExtras, readUsage } from './usage.ts';
import { CONTENT_TEXT } from './wire.ts';

export function readConverseAnswer(bytes: Buffer): WholeAnswer | undefined {
  const answer = parseRecord(bytes);
  const content = asRecord(asRecord(answer?.['output'])?.['message'])?.['content'];
  if (answer === undefined || !Array.isArray(content)) return undefined;
  const extras = readExtras(answer);
  return {
    usage: readUsage(answer['usage']),
    ...(isDoubtful(answer['usage']) && { isDoubtful: true }),
    ...(extras !== undefined && { extras }),
    hasError: false,
    outputBytes: countText(Buffer.from(JSON.stringify(content)), CONTENT_TEXT),
  };
}
