// The id under which an upstream keeps a response, from a whole answer or from the first event of a stream.
import { readField } from '../../shared/json-fields.ts';
import { isUnfinished } from './read-answer.ts';
import { eventsOf } from '../stream/sse.ts';
import { scanAnswer } from '../json/json-answer.ts';

/** What can stand in a path as it is. */
const PLAIN_ID = /^[\w-]{1,200}$/;

/** undefined also when the answer says that it is not kept, as those that came from another protocol do. */
export function idOfAnswer(body: Buffer): string | undefined {
  const json = scanAnswer(body);
  return json === undefined || readField(json, 'store') === false ? undefined : plain(readField(json, 'id'));
}

/** Of an answer that says it goes on in the background. */
export function idOfUnfinished(body: Buffer): string | undefined {
  const json = scanAnswer(body);
  return json !== undefined && isUnfinished(json) ? plain(readField(json, 'id')) : undefined;
}

/** `response.created` is the first event that names it. */
export function idOfFirstEvent(bytes: Buffer): string | undefined {
  for (const { data } of eventsOf(bytes)) {
    const id = idOfEvent(data);
    if (id !== undefined) return id;
  }
  return undefined;
}

function idOfEvent(data: string | undefined): string | undefined {
  if (data === undefined) return undefined;
  const event = scanAnswer(Buffer.from(data));
  const response = event?.fields.get('response');
  if (event === undefined || response?.kind !== 'object') return undefined;
  return idOfAnswer(event.bytes.subarray(response.valueStart, response.valueEnd));
}

function plain(id: unknown): string | undefined {
  return typeof id === 'string' && PLAIN_ID.test(id) ? id : undefined;
}
