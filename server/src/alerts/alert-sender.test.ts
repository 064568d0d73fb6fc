import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSecretBox } from '../shared/secret-box.ts';
import { insertDeliveries, insertSink, listSinkDeliveries } from '../store/queries/alert-sinks.ts';
import type { Store } from '../store/store.ts';
import { onEveryStore } from '../testing/stores.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { makeDelivery } from './alert-event.ts';
import { AlertSender, type AlertSenderDependencies, testSink } from './alert-sender.ts';
import { NOW, sinkRow } from './testing/alert-rows.ts';

const secretBox = makeSecretBox('master secret of the tests');
const secrets = { url: secretBox.seal('https://sink.example/'), secret: secretBox.seal('whsec_AAAA') };
const ALERT = {
  id: 'alr_1',
  rule: 'channel_down',
  severity: 'critical',
  subject_kind: 'channel',
  subject: 'a',
  title: 'Channel A is down',
  detail: '',
  opened_at: NOW,
  updated_at: NOW,
  resolved_at: null,
} as const;

function worldOf(store: Store, answer: (id: string) => number | Promise<never>) {
  const sent: { id: string; type: string; at: number }[] = [];
  const clock = { ms: NOW * 1000, now: () => clock.ms };
  const call = async ({ headers, body }: { headers: Record<string, string>; body?: Buffer }) => {
    const id = headers['webhook-id'] ?? '';
    sent.push({ id, type: (JSON.parse(String(body)) as { type: string }).type, at: clock.ms });
    return { status: await answer(id), headers: {}, body: { on() {}, destroy() {} } };
  };
  const dependencies = {
    store,
    clock,
    secretBox,
    guarded: { call },
    mailer: { send: () => Promise.reject(new Error('no mail')) },
    publicUrl: undefined,
    onError: (error: unknown) => assert.fail(String(error)),
  } as unknown as AlertSenderDependencies;
  return { sent, clock, dependencies, sender: () => new AlertSender(dependencies) };
}

async function addBoth(store: Store): Promise<string[]> {
  const both = [
    makeDelivery({ sinkId: 'snk', event: 'opened', alert: ALERT, now: NOW * 1000 }),
    makeDelivery({ sinkId: 'snk', event: 'resolved', alert: { ...ALERT, resolved_at: NOW + 1 }, now: NOW * 1000 + 1 }),
  ];
  await store.transaction(async (transaction) => {
    await insertSink(transaction, sinkRow({ id: 'snk', ...secrets }));
    await insertDeliveries(transaction, both);
  });
  return both.map(({ id }) => id);
}

const logOf = async (store: Store) =>
  (await listSinkDeliveries(store.reads, 'snk', { limit: 10 })).map(
    ({ event, status, attempts }) => `${event} ${status} ${attempts}`,
  );

onEveryStore((open) => {
  test('what a process claimed and did not send before it died is sent by the next, with the same id', async (t) => {
    const store = await open();
    const [opened, resolved] = await addBoth(store);
    const dying = worldOf(store, () => new Promise<never>(() => {})); // the process ends here
    const first = dying.sender();
    first.start();
    dying.clock.ms += 10;
    await waitUntil(() => dying.sent.length === 1, 'nothing was sent');
    const next = worldOf(store, () => 200);
    next.clock.ms = dying.clock.ms + 59_000;
    const second = next.sender();
    t.after(async () => {
      await first.stop();
      await second.stop();
    });
    second.start();
    next.clock.ms += 2_000;
    await waitUntil(async () => (await logOf(store)).every((line) => line.includes('delivered')), 'not all was sent');
    assert.deepEqual(
      next.sent.map(({ id }) => id),
      [opened, resolved],
    );
    assert.equal(dying.sent[0]?.id, opened);
  });

  test('that an alert is resolved is sent after its beginning, also when that fails at first', async (t) => {
    const store = await open();
    const [opened, resolved] = await addBoth(store);
    let failures = 2;
    const { sent, clock, sender } = worldOf(store, () => (failures-- > 0 ? 503 : 204));
    const own = sender();
    t.after(() => own.stop());
    clock.ms += 10;
    own.start();
    await waitUntil(async () => (await logOf(store)).includes('opened pending 1'), 'no first attempt');
    clock.ms += 1_100;
    await waitUntil(async () => (await logOf(store)).includes('opened pending 2'), 'no second attempt');
    clock.ms += 5_100;
    await waitUntil(async () => (await logOf(store)).every((line) => line.includes('delivered')), 'not all was sent');
    assert.deepEqual(
      sent.map(({ id }) => id),
      [opened, opened, opened, resolved],
    );
    assert.deepEqual(await logOf(store), ['resolved delivered 1', 'opened delivered 3']);
  });

  test('a test is sent once, and stands in the log', async () => {
    const store = await open();
    const sink = sinkRow({ id: 'snk', ...secrets });
    await store.transaction((transaction) => insertSink(transaction, sink));
    const { sent, dependencies } = worldOf(store, () => 500);
    const { status, log } = await testSink(dependencies, sink);
    assert.deepEqual([status, (JSON.parse(log) as { error: string }[])[0]?.error], ['failed', 'answered with 500']);
    assert.deepEqual(
      sent.map(({ type }) => type),
      ['alert.test'],
    );
    assert.deepEqual(await logOf(store), ['test failed 1']);
  });
});
