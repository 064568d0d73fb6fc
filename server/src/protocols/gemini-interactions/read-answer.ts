// What an interaction says of itself, whole or in the event that ends its stream: usage, state and id.
import { type JsonObject, readField } from '../../shared/json-fields.ts';
import { countTextIn, scanAnswer } from '../json/json-answer.ts';
import { asRecord } from '../json/json-value.ts';
import { isUnfinished, type ResponseState, stateOf } from '../openai-responses/read-answer.ts';
import type { WholeAnswer } from '../protocol.ts';
import type { TextFields } from '../stream/count-text.ts';
import { eventsOf } from '../stream/sse.ts';
import { isDoubtful, readExtras, readUsage } from './usage.ts';

/** Where the steps hold what the model made; what tools gave is no output. */
export const STEP_TEXT: TextFields = {
  each: { text: 'text', arguments: 'value', code: 'text', signature: 'text', data: 'image', result: 'skip' },
};
/** What can stand in a path as it is. */
const PLAIN_ID = /^[\w-]{1,500}$/;

export function readInteractionAnswer(bytes: Buffer): WholeAnswer | undefined {
  const json = scanAnswer(bytes);
  const status = json === undefined ? undefined : readField(json, 'status');
  if (json === undefined || typeof status !== 'string') return undefined;
  const isOpen = isUnfinished(json);
  const reported = isOpen ? undefined : readField(json, 'usage');
  const usage = readUsage(reported);
  const steps = json.fields.get('steps');
  const extras = readExtras({ usage: reported, service_tier: readField(json, 'service_tier') });
  return {
    usage,
    ...(isDoubtful(reported) && { isDoubtful: true }),
    ...(extras !== undefined && { extras }),
    hasError: status === 'failed' && usage === undefined,
    // One that goes on in the background may come to all that was held for it.
    outputBytes: isOpen ? Number.MAX_SAFE_INTEGER : countTextIn(json, steps, STEP_TEXT),
  };
}

/** How one stands that may have been left to run in the background; undefined when the bytes are none. */
export function readInteractionState(bytes: Buffer): ResponseState | undefined {
  return stateOf(bytes, readInteractionAnswer(bytes));
}

export function idOfInteraction(bytes: Buffer): string | undefined {
  const json = scanAnswer(bytes);
  return json === undefined ? undefined : idIn(json);
}

/** Of an answer that says it goes on in the background. */
export function idOfUnfinished(bytes: Buffer): string | undefined {
  const json = scanAnswer(bytes);
  return json !== undefined && isUnfinished(json) ? idIn(json) : undefined;
}

/** The first one that an event of the block names. */
export function idOfEvents(bytes: Buffer): string | undefined {
  for (const { data } of eventsOf(bytes)) {
    const event = data === undefined ? undefined : scanAnswer(Buffer.from(data));
    const id = event === undefined ? undefined : asRecord(readField(event, 'interaction'))?.['id'];
    if (typeof id === 'string' && PLAIN_ID.test(id)) return id;
  }
  return undefined;
}

function idIn(json: JsonObject): string | undefined {
  const id = readField(json, 'id');
  return typeof id === 'string' && PLAIN_ID.test(id) ? id : undefined;
}
