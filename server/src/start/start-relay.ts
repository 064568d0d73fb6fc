// What relayed requests work with, and the background responses that go on without a client.
import { geminiInteractions, readInteractionState } from '../protocols/gemini-interactions/index.ts';
import { openaiResponses, readResponseState } from '../protocols/openai-responses/index.ts';
import { BackgroundCalls } from '../relay/stored/background-calls.ts';
import { Checkpoints } from '../relay/checkpoints.ts';
import type { Cancellation } from '../providers/cancellation.ts';
import type { RelayDependencies } from '../relay/relay-request.ts';
import { RealtimeSessions } from '../relay/realtime/realtime-sessions.ts';
import { Workload } from '../relay/workload.ts';
import { IndexedSet } from '../shared/runtime/indexed-set.ts';
import { upstreamObjects } from '../store/queries/upstream-objects.ts';
import type { Changes } from './follow-changes.ts';
import type { Clients } from './open-clients.ts';
import type { Data } from './open-data.ts';
import type { RateLimits } from './open-rate-limits.ts';
import type { Telemetry } from './open-telemetry.ts';
import type { StartContext } from './start-context.ts';
import type { Money } from './start-money.ts';
import type { Routing } from './start-routing.ts';

export type Relay = ReturnType<typeof startRelay>;

export function startRelay(
  { config, clock, logger, errors, started }: StartContext,
  dependencies: Data & Clients & Telemetry & RateLimits & Changes & Money & Routing,
) {
  const { store, catalogue, router, limiter, ledger, client, metrics } = dependencies;
  const checkpoints = new Checkpoints(ledger);
  const live = new IndexedSet<Cancellation>();
  const workload = new Workload();
  const objects = upstreamObjects(store, clock);
  const relay: RelayDependencies = {
    catalogue,
    router,
    limiter,
    ledger,
    checkpoints,
    client,
    clock,
    metrics,
    live,
    workload,
    objects,
  };
  const background = new BackgroundCalls({
    store,
    relay,
    kinds: [
      { protocol: openaiResponses, readState: readResponseState },
      { protocol: geminiInteractions, readState: readInteractionState },
    ],
    onError: (error) => errors.tell(error, 'background responses could not be asked about'),
  });
  started.add('background responses', () => background.stop());
  background.start();
  const sessions = new RealtimeSessions({
    relay,
    mostSessions: config.realtimeSessions,
    idleMs: config.realtimeIdleSeconds * 1000,
    onError: (error) => logger.error({ error }, 'a realtime session ended by an accident'),
  });
  return { relay, background, live, workload, sessions };
}
