import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { UpstreamClient } from '../providers/call-upstream.ts';
import { Router } from '../routing/candidates.ts';
import { catalogue, facts, key, secretBox, REQUEST } from '../routing/testing/offered.ts';
import type { Store } from '../store/store.ts';
import { onEveryStore } from '../testing/stores.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { KeyWatch } from './key-watch.ts';

const START = 1_800_000_000_000;

interface Upstream {
  baseUrl: string;
  calls: string[];
  answer(response: ServerResponse): void;
}

async function startUpstream(t: TestContext): Promise<Upstream> {
  const upstream: Upstream = { baseUrl: '', calls: [], answer: (response) => response.writeHead(401).end('{}') };
  const server = createServer((request, response) => {
    upstream.calls.push(`${request.method} ${request.url}`);
    request.resume().once('end', () => upstream.answer(response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  upstream.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return upstream;
}

const GOOD = JSON.stringify({
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
});

/** A process: its own router and watch on a shared store. */
async function startProcess(
  t: TestContext,
  store: Store,
  { upstream, time }: { upstream: Upstream; time: { now: number } },
) {
  const clock = { now: () => time.now };
  const router = new Router({ clock, secretBox });
  const offered = catalogue(facts('a', { baseUrl: upstream.baseUrl, keys: [KEY] }));
  const client = new UpstreamClient();
  const errors: unknown[] = [];
  const watch = new KeyWatch({
    store,
    client,
    router,
    catalogue: await LiveCatalogue.open(async () => offered),
    clock,
    steadyClock: clock,
    onError: (error) => errors.push(error),
    intervalMs: 10,
  });
  await watch.start();
  t.after(async () => {
    await watch.stop();
    await client.close();
    assert.deepEqual(errors, []);
  });
  const [channel] = router.channels(offered);
  const [own] = channel?.keys ?? [];
  assert.ok(own !== undefined);
  const refuse = (accountId: string): void => {
    const route = router.route(offered, { ...REQUEST, accountId });
    assert.notEqual(route.next(), undefined);
    route.fail('unauthorised', undefined, { message: '401: no.' });
    route.finish();
  };
  return { key: own, refuse, watch };
}

const KEY = key('a-1');

onEveryStore((open) => {
  test('a probe that is refused takes the key out, in every process and after a restart (promise B-01)', async (t) => {
    const [store, upstream, time] = [await open(), await startUpstream(t), { now: START }];
    const first = await startProcess(t, store, { upstream, time });
    const second = await startProcess(t, store, { upstream, time });
    first.refuse('acc');
    await waitUntil(() => first.key.isOut(time.now), 'it is not out');
    await waitUntil(() => second.key.isOut(time.now), 'the other process does not know');
    const third = await startProcess(t, store, { upstream, time });
    assert.equal(third.key.isOut(time.now), true, 'at its start');
    assert.match(third.key.out?.reason ?? '', /401/);
    assert.deepEqual(upstream.calls, ['GET /v1/models'], 'a list of models is enough, and costs nothing');
    const rows = await store.reads.selectFrom('channel_key_states').selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes('secret of a-1'));
  });

  test('a probe that is answered brings it back for everybody; probes of a key are 20 s apart', async (t) => {
    const [store, upstream, time] = [await open(), await startUpstream(t), { now: START }];
    upstream.answer = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(GOOD);
    const { key: own, refuse } = await startProcess(t, store, { upstream, time });
    refuse('first');
    await waitUntil(() => own.lastProbe?.ok === true, 'no probe');
    assert.equal(own.isUsable(time.now, 'first'), true);
    assert.deepEqual(upstream.calls, ['GET /v1/models', 'POST /v1/chat/completions']);
    refuse('first');
    time.now += 19_000;
    refuse('second');
    assert.equal(own.isOut(time.now), false, 'the probe counts more than two refusals');
    assert.equal(upstream.calls.length, 2);
    time.now += 1_000;
    await waitUntil(() => upstream.calls.length === 4, 'the suspicion is forgotten');
    await waitUntil(() => own.isUsable(time.now, 'second'), 'the second account is still kept from it');
  });

  test('a key that is out is probed before it would be used again, and stays out or comes back by that', async (t) => {
    const [store, upstream, time] = [await open(), await startUpstream(t), { now: START }];
    const { key: own, refuse } = await startProcess(t, store, { upstream, time });
    refuse('acc');
    await waitUntil(() => own.isOut(time.now), 'it is not out');
    time.now = (own.out?.until ?? 0) - 1_000;
    await waitUntil(() => (own.out?.until ?? 0) > time.now + 200_000, 'it was not looked at again');
    assert.equal(own.out?.since, START);
    upstream.answer = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(GOOD);
    time.now = (own.out?.until ?? 0) - 1_000;
    await waitUntil(() => own.isUsable(time.now, 'acc'), 'it does not come back');
  });

  test('a probe that is refused for another reason than the key ends the suspicion', async (t) => {
    const [store, upstream, time] = [await open(), await startUpstream(t), { now: START }];
    upstream.answer = (response) => response.writeHead(400).end('{"error":{"message":"max_tokens is not supported"}}');
    const { key: own, refuse } = await startProcess(t, store, { upstream, time });
    refuse('first');
    await waitUntil(() => own.lastProbe !== undefined, 'no probe');
    assert.deepEqual([own.lastProbe?.ok, own.state(time.now)], [null, 'ready']);
  });

  test('a stop does not wait for a probe that nobody answers', async (t) => {
    const [store, upstream, time] = [await open(), await startUpstream(t), { now: START }];
    upstream.answer = () => {};
    const { key: own, refuse, watch } = await startProcess(t, store, { upstream, time });
    refuse('first');
    await waitUntil(() => upstream.calls.length === 1, 'no probe');
    await watch.stop();
    assert.equal(own.lastProbe, undefined);
  });

  test('a probe that tells nothing takes nothing out', async (t) => {
    const [store, upstream, time] = [await open(), await startUpstream(t), { now: START }];
    upstream.answer = (response) => response.writeHead(500).end('{}');
    const { key: own, refuse } = await startProcess(t, store, { upstream, time });
    refuse('first');
    await waitUntil(() => own.lastProbe !== undefined, 'no probe');
    assert.deepEqual([own.lastProbe?.ok, own.state(time.now)], [null, 'suspected']);
    assert.equal(own.isUsable(time.now, 'second'), true);
    refuse('second');
    assert.equal(own.isUsable(time.now, 'third'), false);
    await waitUntil(async () => {
      const [row] = await store.reads.selectFrom('channel_key_states').selectAll().execute();
      return row?.reason?.includes('several accounts') === true;
    }, 'the store does not know');
  });

  test('a probe refused in words that no database takes is remembered all the same (promise B-01)', async (t) => {
    const [store, upstream, time] = [await open(), await startUpstream(t), { now: START }];
    upstream.answer = (response) =>
      response
        .writeHead(401, { 'content-type': 'application/json' })
        .end(String.raw`{"error":{"message":"no\u0000key\ud800"}}`);
    const { key: own, refuse } = await startProcess(t, store, { upstream, time });
    refuse('acc');
    await waitUntil(() => own.isOut(time.now), 'it is not out');
    await waitUntil(async () => {
      const [row] = await store.reads.selectFrom('channel_key_states').selectAll().execute();
      return row?.reason?.includes('401') === true && row.probe_message !== null;
    }, 'the store does not know');
  });
});
