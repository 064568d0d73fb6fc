// Checks that a request is refused as invalid, with the words and the field that the caller is to see.
import assert from 'node:assert/strict';
import { GatewayError } from '../errors/gateway-error.ts';

export function assertRefused(read: () => unknown, message: string | RegExp, param?: string): void {
  assert.throws(read, (error) => isRefusal(error, message, param));
}

export async function assertRejected(read: Promise<unknown>, message: string | RegExp, param?: string): Promise<void> {
  await assert.rejects(read, (error) => isRefusal(error, message, param));
}

function isRefusal(error: unknown, message: string | RegExp, param: string | undefined): true {
  assert.ok(error instanceof GatewayError, String(error));
  const { message: actual = '', ...details } = error.details;
  assert.equal(error.code, 'invalid_request');
  if (typeof message === 'string') assert.equal(actual, message);
  else assert.match(actual, message);
  assert.deepEqual(details, param === undefined ? {} : { param }, actual);
  return true;
}

export interface RefusedField {
  param: string;
  message: RegExp;
}

export function assertFieldRefused(read: () => unknown, { param, message }: RefusedField): void {
  assertRefused(read, message, param);
}

/** For the functions of node:assert that take a check. */
export function isFieldRefused(error: unknown, { param, message }: RefusedField): true {
  return isRefusal(error, message, param);
}
