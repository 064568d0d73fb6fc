// What the task engine works with.
import type { RateLimiter } from '../access/rate-limit/rate-limiter.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { UpstreamClient } from '../providers/call-upstream.ts';
import type { GuardedClient } from '../providers/guarded/guarded-client.ts';
import type { Router } from '../routing/candidates.ts';
import type { Clock } from '../shared/clock.ts';
import type { SecretBox } from '../shared/secret-box.ts';
import type { Store } from '../store/store.ts';
import type { RequestMetrics, TaskMetrics } from '../telemetry/counted-events.ts';

export interface TaskDependencies {
  store: Store;
  catalogue: LiveCatalogue;
  router: Router;
  limiter: RateLimiter;
  client: UpstreamClient;
  /** For addresses that others have given us. */
  guarded: GuardedClient;
  clock: Clock;
  secretBox: SecretBox;
  metrics: TaskMetrics & RequestMetrics;
  /** This process, as others know it. */
  owner: string;
  /** TOLLGATE_TASK_POLL_MS. */
  pollMs: number;
  /** Where videos of channels with `archive` are copied to. */
  archiveFolder: string;
  /** Of this gateway, as clients reach it, without a last slash; undefined where nobody said. */
  publicUrl?: string | undefined;
  random(): number;
  /** Called when there is a webhook to send. */
  onDelivery(): void;
  /** Called with what went wrong and will be tried again. The same words are logged once in a while: they name the task, if one. */
  onError(error: unknown, what: string): void;
}
