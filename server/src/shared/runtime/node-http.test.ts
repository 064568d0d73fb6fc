import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { createServer, STATUS_CODES } from './node-http.ts';

test('the gateway loads no second HTTP client by importing node:http', () => {
  const gateway = new URL('../../gateway.ts', import.meta.url).href;
  const program = `await import('${gateway}');
    console.log(JSON.stringify(process.moduleLoadList.filter((name) => name.includes('internal/deps/undici'))));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  assert.deepEqual(JSON.parse(printed), []);
});

test('what is taken of node:http is there', () => {
  assert.deepEqual([typeof createServer, STATUS_CODES[404]], ['function', 'Not Found']);
});
