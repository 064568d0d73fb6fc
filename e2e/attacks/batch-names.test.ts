// Names that a client gives to the lines of a batch are part of ids that operators and members read: none breaks a list, and a
// line with the longest one is found and refunded as any other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attention } from '#contract/attention.ts';
import type { Found } from '#contract/search.ts';
import { BATCH_PRICE, begin, chatLine, ended, openai } from '../support/batches.ts';
import { OPERATOR_KEY } from '../support/gateway.ts';
import { makeWorld, suiteGateway } from '../support/world.ts';

const gateway = await suiteGateway();
const LONGEST = 256;

test('lines with the longest custom_ids are listed, read and refunded (contract-2 8)', async (t) => {
  const world = await makeWorld(gateway, t, { model: { price: BATCH_PRICE } });
  const client = openai(world);
  const names = ['a'.repeat(LONGEST), '\u4e2d'.repeat(LONGEST), `=1+1 '"<b>\\..%2f/../${'x'.repeat(200)}`];
  // A search has no price here, so that the lines are among what needs attention.
  const searching = { web_search_options: {}, messages: [{ role: 'user', content: 'News? [[tool-uses 1]]' }] };
  const { id } = await begin(
    client,
    names.map((one) => chatLine(one, world.model, searching)),
  );
  assert.equal((await ended(client, id)).request_counts?.completed, names.length);
  for (const list of ['/requests?', '/ledger?', '/ledger/folded?', '/usage?by=account&', '/tasks?']) {
    await gateway.operator('GET', `${list}account_id=${world.account.id}`);
    const file = await fetch(`${gateway.address}/operator/v1${list}account_id=${world.account.id}&format=ndjson`, {
      headers: { authorization: `Bearer ${OPERATOR_KEY}` },
    });
    assert.equal(file.status, 200, list);
    await file.text();
  }
  const { unpriced } = await gateway.operator<Attention>('GET', '/attention');
  const named = unpriced.find(({ model }) => model === world.model)?.request_id;
  assert.ok(
    names.some((name) => named === `${id}/${name}`),
    named,
  );
  for (const name of names) {
    const requestId = `${id}/${name}`;
    const search = await gateway.operator<{ found: Found[] }>('GET', `/search?q=${encodeURIComponent(requestId)}`);
    assert.deepEqual(
      search.found.map((one) => one.id),
      [requestId],
    );
    const path = `/requests/${encodeURIComponent(requestId)}`;
    assert.equal((await gateway.operator<{ id: string }>('GET', path)).id, requestId);
    const refund = () => gateway.operator<{ request_id: string }>('POST', `${path}/refund`, { reason: 'wrong answer' });
    assert.equal((await refund()).request_id, requestId);
    await assert.rejects(refund, /answered 409/);
    const filter = `/ledger?request_id=${encodeURIComponent(requestId)}`;
    const kinds = (await gateway.operator<{ data: { kind: string }[] }>('GET', filter)).data.map(({ kind }) => kind);
    assert.deepEqual(kinds.toSorted(), ['credit', 'hold', 'release', 'settle']);
  }
  await gateway.operator('GET', '/audit?resource=request');
});
