// The router, and what it learns of channels and keys and keeps in the store.
import { KeyWatch } from '../relay/key-watch.ts';
import { Router } from '../routing/candidates.ts';
import { HealthKeeper } from '../routing/health-keeper.ts';
import type { Changes } from './follow-changes.ts';
import type { Clients } from './open-clients.ts';
import type { Data } from './open-data.ts';
import type { StartContext } from './start-context.ts';

export type Routing = Awaited<ReturnType<typeof startRouting>>;

export async function startRouting(
  { clock, steady, errors, started }: StartContext,
  { store, secretBox, client, catalogue }: Data & Clients & Changes,
) {
  const router = new Router({ clock: steady, secretBox });
  const healthKeeper = new HealthKeeper({
    store,
    clock,
    steadyClock: steady,
    channels: () => router.channels(catalogue.current),
    onError: (error) => errors.tell(error, 'the health of channels could not be kept'),
  });
  started.add('the health of channels', () => healthKeeper.stop());
  const keyWatch = new KeyWatch({
    store,
    client,
    router,
    catalogue,
    clock,
    steadyClock: steady,
    onError: (error) => errors.tell(error, 'the state of channel keys could not be kept'),
  });
  started.add('the watch over keys', () => keyWatch.stop());
  await keyWatch.start();
  healthKeeper.start();
  return { router, keyWatch };
}
