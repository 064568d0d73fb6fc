import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Readable } from 'node:stream';
import type { GuardedClient } from '../../providers/guarded/guarded-client.ts';
import type { DeliveryRow } from '../../store/queries/webhooks.ts';
import type { Store } from '../../store/store.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { makeTaskDependencies } from '../../testing/task-dependencies.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { WebhookSender } from './send-webhooks.ts';

async function addDeliveries(store: Store, account: string, { count, dueAt }: { count: number; dueAt: number }) {
  const rows = Array.from({ length: count }, (_, index): DeliveryRow => ({
    id: `${account}-${index}`,
    task_id: `task-${account}-${index}`,
    account_id: account,
    url: `https://${account}.example/`,
    payload: '{}',
    status: 'pending',
    attempts: 0,
    log: '[]',
    next_attempt_at: dueAt + index,
    created_at: 1,
    completed_at: null,
  }));
  await store.transaction((transaction) => transaction.insertInto('webhook_deliveries').values(rows).execute());
}

onEveryStore((open) => {
  test('accounts whose receivers never answer do not delay those of others (contract-2 10)', async (t) => {
    const store = await open();
    const dependencies = await makeTaskDependencies(store, 'http://127.0.0.1:1');
    const { secretBox, clock } = dependencies;
    const underWay = new Map<string, number>();
    let most = 0;
    const guarded = {
      call({ url, signal }: { url: string; signal: AbortSignal }) {
        const host = new URL(url).hostname;
        if (!host.startsWith('slow')) return Promise.resolve({ status: 200, headers: {}, body: Readable.from([]) });
        underWay.set(host, (underWay.get(host) ?? 0) + 1);
        most = Math.max(most, underWay.get(host) ?? 0);
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
      },
    } as unknown as GuardedClient;
    const accounts = ['slow-1', 'slow-2', 'slow-3', 'quick-1', 'quick-2', 'a-quick-3'];
    for (const account_id of accounts)
      await store.transaction((transaction) =>
        transaction
          .insertInto('webhooks')
          .values({ account_id, url: null, secret: secretBox.seal('whsec_AAAA'), created_at: 1 })
          .execute(),
      );
    const dueAt = clock.ms - 100_000;
    for (const slow of ['slow-1', 'slow-2', 'slow-3']) await addDeliveries(store, slow, { count: 100, dueAt });
    const sender = new WebhookSender({ ...dependencies, guarded });
    t.after(async () => {
      await sender.stop();
      await dependencies.end();
    });
    sender.start();
    await waitUntil(() => underWay.size === 3, 'not every slow account has its share');
    for (const quick of ['quick-1', 'quick-2', 'a-quick-3'])
      await addDeliveries(store, quick, { count: 5, dueAt: clock.ms - 1_000 });
    await waitUntil(async () => {
      const left = await store.reads
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('account_id', 'like', '%quick%')
        .where('completed_at', 'is', null)
        .execute();
      return left.length === 0;
    }, 'webhooks of other accounts wait');
    assert.ok(most <= 16, `${most} at once for one account`);
  });
});
