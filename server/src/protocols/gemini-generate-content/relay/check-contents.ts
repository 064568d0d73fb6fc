// The conversation of a request, checked turn by turn without being built (spec 4.5: objects with an array of parts).
import { invalidRequest } from '../../../errors/gateway-error.ts';
import { arrayIsEmpty, type JsonField, type JsonObject } from '../../../shared/json-fields.ts';
import { JsonScanner } from '../../../shared/json-scanner.ts';
import { presentField } from '../../json-request.ts';
import { scanInner } from '../spelling.ts';
import { turnFields } from '../wire.ts';

const OPEN_OBJECT = 0x7b;
const CLOSE_ARRAY = 0x5d;

/** Throws invalid_request that names the turn. */
export function checkContents(json: JsonObject, prefix = ''): void {
  for (const { bytes, path } of requireObjects(json, 'contents', prefix)) checkTurn(bytes, path);
}

/** One turn, or the content of an embedding. */
export function checkTurn(bytes: Buffer, path: string): void {
  const turn = scanInner(bytes, path, turnFields);
  const parts = presentField(turn, 'parts');
  if (parts === undefined) throw invalidRequest(`'${path}.parts' is required.`, `${path}.parts`);
  if (arrayIsEmpty(turn, parts)) throw invalidRequest(`'${path}.parts' must not be empty.`, `${path}.parts`);
}

export interface Place {
  bytes: Buffer;
  path: string;
}

/** The objects of a list that must be there and not empty. */
export function requireObjects(json: JsonObject, name: string, prefix = ''): Place[] {
  const field = presentField(json, name);
  const list = prefix + name;
  if (field === undefined) throw invalidRequest(`'${list}' is required.`, list);
  if (arrayIsEmpty(json, field)) throw invalidRequest(`'${list}' must not be empty.`, list);
  return elementsOf(json, field).map((bytes, index) => {
    const path = `${list}[${index}]`;
    if (bytes[0] !== OPEN_OBJECT) throw invalidRequest(`'${path}' must be an object.`, path);
    return { bytes, path };
  });
}

function elementsOf({ bytes }: JsonObject, field: JsonField): Buffer[] {
  const scanner = new JsonScanner(bytes, Infinity); // the depth was checked when the body was scanned
  const elements: Buffer[] = [];
  let position = scanner.skipSpace(field.valueStart + 1);
  while (position >= 0) {
    const end = scanner.skipValue(position, 0);
    elements.push(bytes.subarray(position, end));
    position = scanner.skipSeparator(end, CLOSE_ARRAY);
  }
  return elements;
}
