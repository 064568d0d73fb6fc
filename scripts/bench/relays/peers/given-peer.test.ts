import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StartedProcesses } from '../../processes/started.ts';
import type { Surroundings } from '../relay.ts';
import { bifrost, writeConfig } from './bifrost.ts';
import { newApi } from './new-api.ts';

function surroundings(t: { after: (end: () => void) => void }): Surroundings {
  const processes = new StartedProcesses();
  t.after(() => processes.endNow());
  return { processes, upstreamPort: 1, notes: [], say: () => undefined };
}

test('a peer without a program is left out, and the words say how it takes part', async (t) => {
  const around = surroundings(t);
  assert.deepEqual(await bifrost(undefined).start(around), {
    leftOut: 'Bifrost is left out: --peer bifrost=FILE names its program.',
  });
  assert.deepEqual(await newApi(undefined).start(around), {
    leftOut: 'new-api is left out: --peer new-api=FILE names its program.',
  });
});

test('a program that is not there ends the run, one that ends at once is left out', async (t) => {
  const around = surroundings(t);
  await assert.rejects(Promise.resolve(bifrost('/nowhere/bifrost').start(around)), /there is no \/nowhere\/bifrost/);
  const started = await bifrost('/bin/true').start(around);
  assert.ok('leftOut' in started);
  assert.match(started.leftOut, /Bifrost is left out, it did not start: .*ended while starting/);
});

test('Bifrost gets the upstream of the run, a key that it must check and a budget that it must count', () => {
  const config = JSON.parse(writeConfig('/x', 4711)) as {
    client: object;
    providers: { openai: { network_config: { base_url: string } } };
    governance: { budgets: { virtual_key_id: string }[]; virtual_keys: { id: string }[] };
  };
  assert.equal(config.providers.openai.network_config.base_url, 'http://127.0.0.1:4711');
  assert.deepEqual(config.client, { enable_logging: true, enforce_auth_on_inference: true, initial_pool_size: 1000 });
  assert.equal(config.governance.budgets[0]?.virtual_key_id, config.governance.virtual_keys[0]?.id);
});
