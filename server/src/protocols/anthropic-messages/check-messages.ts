// The conversation of a request, checked message by message without being built (spec 4.5: `{role, content}`).
import { invalidRequest } from '../../errors/gateway-error.ts';
import { type JsonObject, partOf } from '../../shared/json-fields.ts';
import { JsonScanner } from '../../shared/json-scanner.ts';
import { presentField, refuseDuplicates, refuseLookalike, requireFilled, scanPart } from '../json/json-request.ts';

const OPEN_OBJECT = 0x7b;
const CLOSE_ARRAY = 0x5d;
const NAMES = ['role', 'content'];
const KNOWN: ReadonlySet<string> = new Set(NAMES);

/** Throws invalid_request that names the message. */
export function checkMessages(json: JsonObject): void {
  const field = requireFilled(json, 'messages');
  const scanner = new JsonScanner(json.bytes, Infinity, json); // the depth was checked when the body was scanned
  let position = scanner.skipSpace(field.valueStart + 1);
  for (let index = 0; position >= 0; index++) {
    const end = scanner.skipValue(position, 0);
    checkMessage(partOf(json, position, end), `messages[${index}]`);
    position = scanner.skipSeparator(end, CLOSE_ARRAY);
  }
}

function checkMessage(bytes: Buffer, path: string): void {
  if (bytes[0] !== OPEN_OBJECT) throw invalidRequest(`'${path}' must be an object.`, path);
  const message = scanPart(bytes, path);
  refuseDuplicates(message, NAMES, `${path}.`);
  for (const { name } of message.entries) refuseLookalike(name, KNOWN);
  const role = presentField(message, 'role');
  if (role === undefined) throw invalidRequest(`'${path}.role' is required.`, `${path}.role`);
  if (role.kind !== 'string') throw invalidRequest(`'${path}.role' must be a string.`, `${path}.role`);
  const content = presentField(message, 'content');
  if (content === undefined) throw invalidRequest(`'${path}.content' is required.`, `${path}.content`);
  if (content.kind === 'string' || content.kind === 'array') return;
  throw invalidRequest(`'${path}.content' must be a string or an array.`, `${path}.content`);
}
