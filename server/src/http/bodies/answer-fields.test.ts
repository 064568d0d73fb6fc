import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerFields } from './answer-fields.ts';

test('fields have their place; those further inside are none', () => {
  assert.deepEqual(answerFields('{"id":"a","message":{"id":"b","x":{"id":"c"}},"n":1,"model": "m"}'), [
    { parent: '', name: 'id', value: 'a' },
    { parent: 'message', name: 'id', value: 'b' },
    { parent: '', name: 'model', value: 'm' },
  ]);
});

// Each would take minutes if every quote were tried as the beginning of a string that never ends.
test('an answer that was cut off inside of a string is read once from left to right', () => {
  for (const end of ['\\"'.repeat(500_000), 'a'.repeat(1_000_000), `${'\\"'.repeat(500_000)}\\`])
    assert.deepEqual(answerFields(`{"id":"a","x":"${end}`), [{ parent: '', name: 'id', value: 'a' }]);
});
