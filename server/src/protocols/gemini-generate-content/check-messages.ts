// The conversation of a request, checked turn by turn without being built (spec 4.5: objects with an array of parts).
import { invalidRequest } from '../../errors/gateway-error.ts';
import { arrayElements, arrayIsEmpty, type JsonObject } from '../../shared/json-fields.ts';
import { presentField } from '../json/json-request.ts';
import { scanInner } from './spelling.ts';
import { turnFields } from './wire.ts';

const OPEN_OBJECT = 0x7b;

/** Throws invalid_request that names the turn. */
export function checkMessages(json: JsonObject, prefix = ''): void {
  for (const { bytes, path } of requireObjects(json, 'contents', prefix)) checkTurn(bytes, path);
}

/** One turn, or the content of an embedding. */
export function checkTurn(bytes: Buffer, path: string): void {
  const turn = scanInner(bytes, path, turnFields);
  const parts = presentField(turn, 'parts');
  if (parts === undefined) throw invalidRequest(`'${path}.parts' is required.`, `${path}.parts`);
  if (arrayIsEmpty(turn, parts)) throw invalidRequest(`'${path}.parts' must not be empty.`, `${path}.parts`);
}

export interface Position {
  bytes: Buffer;
  path: string;
}

/** The objects of a list that must be there and not empty. */
export function requireObjects(json: JsonObject, name: string, prefix = ''): Position[] {
  const field = presentField(json, name);
  const list = prefix + name;
  if (field === undefined) throw invalidRequest(`'${list}' is required.`, list);
  if (arrayIsEmpty(json, field)) throw invalidRequest(`'${list}' must not be empty.`, list);
  return arrayElements(json, field).map((bytes, index) => {
    const path = `${list}[${index}]`;
    if (bytes[0] !== OPEN_OBJECT) throw invalidRequest(`'${path}' must be an object.`, path);
    return { bytes, path };
  });
}
