// One event of a realtime session as it is on the wire: its type and the fields that decide, by one scan of its bytes.
// https://platform.openai.com/docs/api-reference/realtime
import { invalidRequest } from '../../errors/gateway-error.ts';
import { foldName } from '../../shared/fold-name.ts';
import { type JsonObject, JsonSyntaxError, readField, scanJsonObject } from '../../shared/json-fields.ts';
import { asText } from '../json/json-value.ts';

export interface RealtimeEvent {
  type: string;
  object: JsonObject;
}

/** Fields that decide about model and money. */
const DECIDING = new Set(['type', 'session', 'response']);

/** An event of a client. Throws what is wrong with it: nothing is sent on that two readers could read differently. */
export function readClientEvent(bytes: Buffer): RealtimeEvent {
  const object = scan(bytes);
  const [twice] = object.duplicates;
  if (twice !== undefined) throw invalidRequest(`The field "${twice.slice(0, 100)}" occurs more than once.`, twice);
  for (const { name } of object.entries) {
    const read = foldName(name);
    if (name !== read && DECIDING.has(read))
      throw invalidRequest(`The field "${name.slice(0, 100)}" is not spelled "${read}".`, name.slice(0, 100));
  }
  const type = asText(readField(object, 'type'));
  if (type === undefined) throw invalidRequest('The field "type" must be the name of an event.', 'type');
  return { type, object };
}

function scan(bytes: Buffer): JsonObject {
  try {
    return scanJsonObject(bytes);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw invalidRequest(`The event is not valid JSON: ${error.message}`);
  }
}

/** An event of an upstream; undefined for what is none. */
export function readServerEvent(bytes: Buffer): RealtimeEvent | undefined {
  try {
    const object = scanJsonObject(bytes);
    const type = asText(readField(object, 'type'));
    return type === undefined ? undefined : { type, object };
  } catch {
    return undefined;
  }
}

export function textField({ object }: RealtimeEvent, name: string): string | undefined {
  return object.fields.get(name)?.kind === 'string' ? asText(readField(object, name)) : undefined;
}

/** Bytes between the quotes of a text, which is not read. */
export function textLength({ object }: RealtimeEvent, name: string): number {
  const field = object.fields.get(name);
  return field?.kind === 'string' ? field.valueEnd - field.valueStart - 2 : 0;
}
