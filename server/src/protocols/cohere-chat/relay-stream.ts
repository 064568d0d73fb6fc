// Follows a stream of /v2/chat whose client speaks the same protocol. Its last event holds the usage, or an error.
import { asRecord } from '../json/json-value.ts';
import type { StreamReader } from '../protocol.ts';
import { countTextTokens } from '../stream/count-pieces.ts';
import { TypedEventReader, type TypedStream } from '../stream/typed-events.ts';
import { readStreamError } from './error.ts';
import { isDoubtful, readUsage } from './usage.ts';

const usageOf = (event: Record<string, unknown>): unknown => asRecord(event['delta'])?.['usage'];

const cohereStream: TypedStream = {
  ends: ['message-end'],
  failures: [],
  isFailure: (event) => event['type'] === 'message-end' && readStreamError(event) !== undefined,
  pieces: ['content-delta', 'tool-plan-delta', 'tool-call-delta'],
  countTokens: countTextTokens,
  readUsage: (event) => readUsage(usageOf(event)),
  isDoubtful: (event) => isDoubtful(usageOf(event)),
  readComplaint: (event) => ({ message: readStreamError(event), code: undefined, param: undefined }),
};

export function readCohereStream(): StreamReader {
  return new TypedEventReader(cohereStream);
}
