import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSecretBox } from '../shared/secret-box.ts';
import { findSink, insertSink } from '../store/queries/alert-sinks.ts';
import { resealStore } from '../store/queries/reseal.ts';
import { onEveryStore } from '../testing/stores.ts';
import { sinkRow } from './testing/alert-rows.ts';

onEveryStore((open) => {
  test('sinks can be used after the master secret was changed', async () => {
    const store = await open();
    const [from, to] = [makeSecretBox('the first master secret'), makeSecretBox('the second master secret')];
    const sealed = { url: from.seal('https://hooks.example/x'), secret: from.seal('whsec_AAAA') };
    await store.transaction((transaction) => insertSink(transaction, sinkRow({ id: 'snk', ...sealed })));
    await resealStore(store, { from, to });
    const row = await findSink(store.reads, 'snk');
    assert.deepEqual([to.open(row?.url ?? ''), to.open(row?.secret ?? '')], ['https://hooks.example/x', 'whsec_AAAA']);
  });
});
