// The id under which an upstream keeps a response, from a whole answer or from the event that ends a stream.
import { readField } from '../../shared/json-fields.ts';

import { eventsOf } from '../sse.ts';
import { scanAnswer } from '../json-answer.ts';

/** What can stand in a path as it is. */
const PLAIN_ID = /^[\w-]{1,200}$/;

export function idOfAnswer(body: Buffer): string | undefined {
  const json = scanAnswer(body);
  return json === undefined ? undefined : plain(readField(json, 'id'));
}

export function idOfLastEvent(bytes: Buffer): string | undefined {
  const data = eventsOf(bytes).at(-1)?.data;
  if (data === undefined) return undefined;
  const event = scanAnswer(Buffer.from(data));
  const response = event?.fields.get('response');
  if (event === undefined || response?.kind !== 'object') return undefined;
  return idOfAnswer(event.bytes.subarray(response.valueStart, response.valueEnd));
}

function plain(id: unknown): string | undefined {
  return typeof id === 'string' && PLAIN_ID.test(id) ? id : undefined;
}
