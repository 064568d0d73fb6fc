// Video tasks and the engine that polls them. Made here, started when the server listens.
import { join } from 'node:path';
import { SILENCE_SECONDS } from '../billing/sweeper.ts';
import type { TaskDependencies } from '../tasks/dependencies.ts';
import { TaskEngine } from '../tasks/task-engine.ts';
import type { Changes } from './follow-changes.ts';
import type { Clients } from './open-clients.ts';
import type { Data } from './open-data.ts';
import type { RateLimits } from './open-rate-limits.ts';
import type { Telemetry } from './open-telemetry.ts';
import type { StartContext } from './start-context.ts';
import type { Routing } from './start-routing.ts';

export type Tasks = ReturnType<typeof makeTasks>;

export function makeTasks(
  { config, clock, errors, others, processId, started }: StartContext,
  dependencies: Data & Clients & Telemetry & RateLimits & Changes & Routing,
) {
  const { store, catalogue, router, limiter, client, guarded, secretBox, metrics } = dependencies;
  const tasks: TaskDependencies = {
    store,
    catalogue,
    router,
    limiter,
    client,
    guarded,
    clock,
    secretBox,
    metrics,
    owner: processId,
    pollMs: config.taskPollMs,
    archiveFolder: join(config.dataFolder, 'videos'),
    publicUrl: config.baseAddress?.url,
    random: Math.random,
    onDelivery: () => engine.wakeWebhooks(),
    onError: (error, what) => errors.tell(error, what),
  };
  const engine = new TaskEngine(tasks, { silenceSeconds: SILENCE_SECONDS, workers: others?.workers ?? 1 });
  started.add('video tasks', () => engine.stop());
  return { tasks, engine };
}
