import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processState } from '#contract/process-state.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { makeOperatorApp } from '../testing/operator-app.ts';

onEveryStore((open, dialect) => {
  test('operators read how the gateway runs, and strangers do not', async () => {
    const { call, bare } = await makeOperatorApp(await open());
    const { status, body } = await call('GET', '/process');
    assert.equal(status, 200);
    const state = processState.parse(body);
    assert.deepEqual([state.store, state.node_version], [dialect, process.versions.node]);
    assert.ok(state.settings.some(({ name, value }) => name === 'PORT' && value === '8080'));
    assert.equal((await bare('GET', '/process')).status, 401);
  });
});
