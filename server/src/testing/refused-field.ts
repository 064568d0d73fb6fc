// A request that must be refused, and by which field.
import assert from 'node:assert/strict';
import { GatewayError } from '../errors/gateway-error.ts';

export interface RefusedField {
  param: string;
  message: RegExp;
}

export function assertFieldRefused(read: () => unknown, expected: RefusedField): void {
  assert.throws(read, (error) => isFieldRefused(error, expected));
}

export function isFieldRefused(error: unknown, { param, message }: RefusedField): true {
  assert.ok(error instanceof GatewayError, String(error));
  assert.equal(error.code, 'invalid_request');
  assert.equal(error.details.param, param, error.message);
  assert.match(error.message, message);
  return true;
}
