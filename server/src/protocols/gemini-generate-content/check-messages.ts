// The conversation of a request, checked turn by turn without being built (spec 4.5: objects with an array of parts).
import { invalidRequest } from '../../errors/gateway-error.ts';
import { arrayElements, type JsonObject } from '../../shared/json-fields.ts';
import { requireFilled } from '../json/json-request.ts';
import { scanInner } from './spelling.ts';
import { turnFields } from './wire.ts';

const OPEN_OBJECT = 0x7b;

/** Throws invalid_request that names the turn. */
export function checkMessages(json: JsonObject, prefix = ''): void {
  for (const { bytes, path } of requireObjects(json, 'contents', prefix)) checkTurn(bytes, path);
}

/** One turn, or the content of an embedding. */
export function checkTurn(bytes: Buffer, path: string): void {
  requireFilled(scanInner(bytes, path, turnFields), 'parts', `${path}.`);
}

export interface Position {
  bytes: Buffer;
  path: string;
}

/** The objects of a list that must be there and not empty. */
export function requireObjects(json: JsonObject, name: string, prefix = ''): Position[] {
  return arrayElements(json, requireFilled(json, name, prefix)).map((bytes, index) => {
    const path = `${prefix}${name}[${index}]`;
    if (bytes[0] !== OPEN_OBJECT) throw invalidRequest(`'${path}' must be an object.`, path);
    return { bytes, path };
  });
}
