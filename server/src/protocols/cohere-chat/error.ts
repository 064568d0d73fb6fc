// Errors in Cohere's shape: `{"message"}`, and in a stream its last event. https://docs.cohere.com/reference/errors
import { type JsonRecord, asRecord, asText, parseRecord } from '../json/json-value.ts';
import type { UpstreamComplaint } from '../protocol.ts';

/** One event, named after the `type` in its data. */
export function writeEvent(data: JsonRecord): string {
  return `event: ${String(data['type'])}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The last event of a stream that broke. */
export function errorEvent({ message }: { message: string }): Buffer {
  return Buffer.from(writeEvent({ type: 'message-end', delta: { error: message, finish_reason: 'ERROR' } }));
}

export function readComplaint(body: Buffer): UpstreamComplaint {
  const message = asText(parseRecord(body)?.['message']);
  return { message: message === '' ? undefined : message, code: undefined, param: undefined };
}

/** Of the event that ends a stream; undefined where it reports none. */
export function readStreamError(event: JsonRecord): string | undefined {
  const { error, finish_reason: reason } = asRecord(event['delta']) ?? {};
  if (typeof error === 'string' && error !== '') return error;
  return reason === 'ERROR' ? 'The upstream ended the answer with an error.' : undefined;
}
