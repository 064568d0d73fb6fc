// A reader that leaves a translated stream ends it at the upstream and pays for what was produced (contract 5).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { upstreams } from '../conformance/axes.ts';
import { moneyOf } from '../support/endpoint-checks.ts';
import { requestsOf } from '../support/money.ts';
import { waitUntil } from '../support/wait.ts';
import { makeWorld, suiteGateway, type World } from '../support/world.ts';
import { VERSION } from './native-call.ts';

const CALLS = [
  { path: '/v1/chat/completions', body: { messages: [{ role: 'user', content: 'Hello [[long 400]]' }] } },
  { path: '/v1/responses', body: { input: 'Hello [[long 400]]' } },
  { path: '/v1/messages', body: { max_tokens: 900, messages: [{ role: 'user', content: 'Hello [[long 400]]' }] } },
] as const;

describe('a reader that leaves a stream', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway();
  let asked = 0;

  async function leaveEarly({ key, model }: World, { path, body }: (typeof CALLS)[number]): Promise<void> {
    const leaving = new AbortController();
    const response = await fetch(`${gateway.address}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...VERSION },
      body: JSON.stringify({ model, stream: true, ...body }),
      signal: leaving.signal,
    });
    assert.equal(response.status, 200);
    const reader = response.body?.getReader();
    let seen = '';
    while (!seen.includes('keeps')) seen += new TextDecoder().decode((await reader?.read())?.value);
    leaving.abort();
  }

  for (const { name, provider, options } of upstreams)
    for (const call of CALLS)
      test(`of ${call.path} on ${name} pays for what came, and the upstream is cancelled`, async (t) => {
        const base_url = gateway.upstream.baseUrl(provider, 'pace-20');
        const key = `leaving-${String(++asked).padStart(4, '0')}`;
        const world = await makeWorld(gateway, t, { channels: [{ provider, options, base_url, keys: [key] }] });
        const record = () => gateway.upstream.records.find(({ keyHint }) => keyHint === key.slice(-4));
        await leaveEarly(world, call);
        await waitUntil(() => record()?.aborted === true, 'the upstream was not cancelled');
        await waitUntil(async () => (await moneyOf(world))['settle'] !== undefined, 'nothing was settled');
        const { settle = 0n, hold = 0n } = await moneyOf(world);
        assert.ok(settle > 0n && settle < hold, `${settle} of ${hold}`);
        const [logged] = await requestsOf(gateway, { account_id: world.account.id });
        assert.deepEqual([logged?.status, logged?.error_code], [499, 'client_gone']);
        const output = Number(logged?.usage?.output_tokens);
        assert.ok(output >= 3 && output < 100, `${output} tokens of output`);
      });
});
