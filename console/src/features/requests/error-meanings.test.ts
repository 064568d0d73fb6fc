import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { errorMeanings } from './error-meanings.ts';

const SERVED_ELSEWHERE = ['forbidden', 'csrf_token_invalid'];

test('every error code that a client can get is explained to the operator', () => {
  const table = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
  const rows = [...table.matchAll(/^\| `([a-z_]+)` \| \d{3} \| (.+)$/gm)];
  const codes = rows
    .filter(([, code = '', when = '']) => !when.startsWith('Operator API:') && !SERVED_ELSEWHERE.includes(code))
    .map(([, code = '']) => code);
  assert.ok(codes.includes('model_not_allowed'));
  assert.deepEqual(Object.keys(errorMeanings).sort(), codes.sort());
});
