import assert from 'node:assert/strict';
import { test } from 'node:test';
import { welcome } from './welcome.ts';

const address = 'http://127.0.0.1:8080';
const config = { dataFolder: './data', databaseUrl: undefined };
const demo = { key: 'sk-demo', model: 'sandbox-chat' };
const first = { operatorName: 'admin', password: 'one-time-word', demo };

test('the first start prints all that is needed for the first call (contract 1)', () => {
  const text = welcome({ address, firstStart: first }, config);
  for (const part of [
    `${address}/console`,
    `${address}/docs`,
    'admin',
    'one-time-word',
    'shown only now',
    'sk-demo',
    './data',
  ])
    assert.ok(text.includes(part), part);
});

test('the curl line is one line that a shell takes as it is', () => {
  const line = welcome({ address, firstStart: first }, config)
    .split('\n')
    .map((one) => one.trim())
    .find((one) => one.startsWith('curl '));
  const [, url, headers = '', body = ''] = /^curl (\S+) ((?:-H '[^']+' )+)-d '([^']+)'$/u.exec(line ?? '') ?? [];
  assert.equal(url, `${address}/v1/chat/completions`);
  assert.ok(headers.includes("-H 'Authorization: Bearer sk-demo'"));
  assert.ok(headers.includes("-H 'Content-Type: application/json'"));
  assert.deepEqual(JSON.parse(body), { model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hello!' }] });
});

test('later starts show addresses and no secret', () => {
  const text = welcome({ address, firstStart: undefined }, config);
  assert.ok(text.includes(`${address}/console`));
  assert.doesNotMatch(text, /password|operator|token|curl/iu);
});

test('a password the operator chose is not printed, nor the address of the database', () => {
  const databaseUrl = 'postgres://u:hunter2@db/x';
  const text = welcome({ address, firstStart: { ...first, password: null } }, { ...config, databaseUrl });
  assert.ok(text.includes('TOLLGATE_OPERATOR_PASSWORD') && text.includes('PostgreSQL'));
  assert.doesNotMatch(text, /hunter2|shown only now|\.\/data/u);
});

test('without the sandbox it says what to do instead of a call', () => {
  const text = welcome({ address, firstStart: { ...first, demo: null } }, config);
  assert.ok(text.includes('The sandbox is off'));
  assert.doesNotMatch(text, /curl|Demo token/u);
});
