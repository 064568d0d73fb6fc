// Checks that a request is refused as invalid, with the words and the field that the caller is to see.
import assert from 'node:assert/strict';

export function assertRefused(read: () => unknown, message: string, param?: string): void {
  assert.throws(read, (error: unknown) => {
    assert.ok(error instanceof Error && 'code' in error && 'details' in error);
    assert.equal(error.code, 'invalid_request');
    assert.deepEqual(error.details, param === undefined ? { message } : { message, param });
    return true;
  });
}
