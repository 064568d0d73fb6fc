// Streams of this protocol: which events end them, and how the gateway itself ends one that broke.
import { countTextTokens } from '../stream/count-pieces.ts';
import { complaintOf } from '../openai-chat/error.ts';
import { TypedEventReader } from '../stream/typed-events.ts';
import { isDoubtful, readResponseUsage } from './read-answer.ts';
import { asRecord, type JsonRecord } from '../json/json-value.ts';
import { extrasOfResponse, usedTool } from './read-extras.ts';
import { endEvents, failureEvents, pieceEvents } from './wire.ts';

/** With this event an item is complete. It names the type of the item, so that a call stands out by its bytes. */
const ITEM_DONE = 'response.output_item.done';

/** `hasTools`: the request offers some, so that calls of them are counted as they come. */
export function readResponseStream(hasTools = false): TypedEventReader {
  return new TypedEventReader({
    ends: endEvents,
    failures: failureEvents,
    pieces: pieceEvents,
    field: 'delta',
    sealed: { type: 'response.output_item.done', field: 'encrypted_content' },
    countTokens: countTextTokens,
    readUsage: (event) => readResponseUsage(responseOf(event)['usage']),
    isDoubtful: (event) => isDoubtful(responseOf(event)['usage']),
    readExtras: (event) => extrasOfResponse(responseOf(event)),
    ...(hasTools && { use: { mark: ITEM_DONE, nameOf: (event) => usedTool(asRecord(event['item']) ?? {}) } }),
    // `response.failed` holds the error in its response; `error` is one itself.
    readComplaint: (event) => complaintOf(event['response'] ?? { ...event, type: undefined }),
  });
}

/** The last event of a stream that broke. */
export function responseErrorEvent(
  error: { message: string; param: string | null; code: string },
  sequence_number = 0,
): Buffer {
  const { code, message, param } = error;
  return Buffer.from(
    `event: error\ndata: ${JSON.stringify({ type: 'error', sequence_number, code, message, param })}\n\n`,
  );
}

function responseOf(event: JsonRecord): JsonRecord {
  return asRecord(event['response']) ?? {};
}
