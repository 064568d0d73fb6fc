// A task engine for tests: a real store, one channel to an address of the test's choice, and a clock that the test moves.
import { InProcessStore } from '../access/rate-limit/in-process-store.ts';
import { RateLimiter } from '../access/rate-limit/rate-limiter.ts';
import { type Clock, unixSeconds } from '../shared/clock.ts';
import { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { UpstreamClient } from '../providers/call-upstream.ts';
import { GuardedClient } from '../providers/guarded/guarded-client.ts';
import { Router } from '../routing/candidates.ts';
import { makeSecretBox } from '../shared/secret-box.ts';
import { heartbeat } from '../store/queries/processes.ts';
import type { Store } from '../store/store.ts';
import type { TaskDependencies } from '../tasks/dependencies.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { addAccount, addToken } from './fixtures.ts';

export interface MovedClock extends Clock {
  ms: number;
}

export async function makeTaskDependencies(
  store: Store,
  baseUrl: string,
): Promise<TaskDependencies & { clock: MovedClock; errors: unknown[]; end(): Promise<void> }> {
  const clock: MovedClock = {
    ms: Date.now(),
    now() {
      return this.ms;
    },
  };
  const secretBox = makeSecretBox('a secret of the tests');
  await addAccount(store, { id: 'acc', balance: 1_000_000n });
  await addToken(store, { id: 'tok', account_id: 'acc' });
  await store.transaction(async (transaction) => {
    await transaction
      .insertInto('channels')
      .values({
        id: 'ch',
        name: 'ch',
        provider: 'beta-video',
        base_url: baseUrl,
        models: '{"video-1":"upstream-model"}',
        groups: null,
        priority: 0,
        weight: 1,
        status: 'enabled',
        headers: '{}',
        options: '{}',
        sandbox: 0,
        created_at: unixSeconds(clock),
      })
      .execute();
    await transaction
      .insertInto('channel_keys')
      .values({
        id: 'key',
        channel_id: 'ch',
        position: 0,
        ciphertext: secretBox.seal('upstream-key'),
        hint: '',
        status: 'enabled',
      })
      .execute();
  });
  await heartbeat(store, 'proc_a');
  const catalogue = await LiveCatalogue.open(() =>
    loadCatalogue(store.reads, { sandbox: false, sandboxBaseUrl: () => undefined, secretBox }),
  );
  const client = new UpstreamClient();
  const guarded = new GuardedClient({ privateHosts: [] });
  const errors: unknown[] = [];
  return {
    store,
    catalogue,
    router: new Router({ clock, secretBox }),
    limiter: new RateLimiter({ store: new InProcessStore(clock), clock }),
    client,
    guarded,
    clock,
    secretBox,
    metrics: new Metrics(),
    owner: 'proc_a',
    pollMs: 1_000,
    archiveFolder: '/nowhere',
    onDelivery: () => {},
    random: () => 0,
    onError: (error) => errors.push(error),
    errors,
    async end() {
      await client.close();
      await guarded.close();
    },
  };
}
