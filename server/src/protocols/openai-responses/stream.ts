// Streams of this protocol: which events end them, and how the gateway itself ends one that broke.
import { countTextTokens } from '../count-pieces.ts';
import { complaintOf } from '../openai-chat/error.ts';
import { TypedEventReader } from '../typed-events.ts';
import { isDoubtful, readResponseUsage } from './read-answer.ts';
import { endEvents, failureEvents, pieceEvents } from './wire.ts';

export function readResponseStream(): TypedEventReader {
  return new TypedEventReader({
    ends: endEvents,
    failures: failureEvents,
    pieces: pieceEvents,
    field: 'delta',
    countTokens: countTextTokens,
    readUsage: (event) => readResponseUsage(responseOf(event)['usage']),
    isDoubtful: (event) => isDoubtful(responseOf(event)['usage']),
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

function responseOf(event: Record<string, unknown>): Record<string, unknown> {
  const { response } = event;
  return typeof response === 'object' && response !== null ? (response as Record<string, unknown>) : {};
}
