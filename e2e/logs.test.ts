// Log lines of requests: JSON, with the model, the channel and the reason of a failure.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { waitUntil } from './support/wait.ts';

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

async function lineOf(token: string, model: string, words: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${gateway.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: words }] }),
  });
  await answer.text();
  const id = answer.headers.get('x-request-id') ?? '';
  const find = (): string | undefined =>
    gateway.logLines.find((line) => line.includes(`"request_id":"${id}","method"`));
  await waitUntil(() => find() !== undefined, `no line of ${id}`);
  return JSON.parse(find() ?? '') as Record<string, unknown>;
}

test('a line names model, channel and, of a failure, its code and reason', async () => {
  const key = gateway.running.firstStart?.demo?.key ?? '';
  const good = await lineOf(key, 'sandbox-chat', 'Hello!');
  assert.deepEqual(
    [good['status'], good['model'], good['error'], good['reason']],
    [200, 'sandbox-chat', undefined, undefined],
  );
  assert.match(String(good['channel']), /sandbox/i);
  const failed = await lineOf(key, 'sandbox-chat', '[[fail 503]]');
  assert.deepEqual(
    [failed['model'], failed['channel'], failed['reason']],
    ['sandbox-chat', good['channel'], 'overloaded'],
  );
  assert.ok(Number(failed['status']) >= 500 && typeof failed['error'] === 'string');
  const refused = await lineOf(key, 'no-such-model', 'Hello!');
  assert.deepEqual([refused['model'], refused['error']], ['no-such-model', 'model_not_found']);
  assert.match(String(refused['reason']), /no-such-model/);
  const stranger = await lineOf('sk-nobody', 'sandbox-chat', 'Hello!');
  assert.deepEqual([stranger['status'], stranger['error'], stranger['model']], [401, 'invalid_api_key', undefined]);
});
