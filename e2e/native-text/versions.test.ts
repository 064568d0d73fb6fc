// Contract-2 7 and its clients: generate-content under the other versions that its SDKs ask for, in its own error shape.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { watchAnswers } from '../support/watch-answers.ts';
import { makeWorld, suiteGateway } from '../support/world.ts';

describe('versions of generate-content', async () => {
  const gateway = await suiteGateway();
  watchAnswers(gateway);

  test('v1alpha and v1 answer as v1beta does, and refuse in the same shape', async (t) => {
    const base_url = gateway.upstream.baseUrl('gemini');
    const world = await makeWorld(gateway, t, { channels: [{ provider: 'gemini', base_url }] });
    const headers = { 'x-goog-api-key': world.key, 'content-type': 'application/json' };
    const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] });
    for (const version of ['v1beta', 'v1alpha', 'v1']) {
      const call = (model: string, method: string): Promise<Response> =>
        fetch(`${gateway.address}/${version}/models/${model}:${method}`, { method: 'POST', headers, body });
      const whole = await call(world.model, 'generateContent');
      assert.equal(whole.status, 200, version);
      assert.ok('candidates' in ((await whole.json()) as object));
      const counted = await call(world.model, 'countTokens');
      assert.ok('totalTokens' in ((await counted.json()) as object), version);
      const refused = await call('nobody', 'generateContent');
      const { error } = (await refused.json()) as { error: { code: number; status: string } };
      assert.deepEqual([refused.status, error.code, error.status], [404, 404, 'NOT_FOUND'], version);
    }
    const listed = await fetch(`${gateway.address}/v1alpha/models`, { headers });
    assert.match(await listed.text(), new RegExp(`models/${world.model}`));
    const queried = await fetch(`${gateway.address}/v1alpha/models?key=${world.key}`);
    await queried.text();
    assert.equal(queried.status, 401, 'the query is read on /v1beta alone');
  });
});
