// The series of this process, and the text of all workers. Levels are read when somebody asks.
import { alertRuleName } from '#contract/alert-rules.ts';
import { countOpenAlerts } from '../store/queries/alerts.ts';
import { countLines } from '../store/queries/batch-lines.ts';
import { countLiveTasks } from '../store/queries/tasks.ts';
import type { Changes } from './follow-changes.ts';
import type { Admitting } from './make-admission.ts';
import type { Data } from './open-data.ts';
import type { Telemetry } from './open-telemetry.ts';
import type { StartContext } from './start-context.ts';
import type { Exports } from './start-export.ts';
import type { Relay } from './start-relay.ts';
import type { Routing } from './start-routing.ts';

export type MetricsReader = ReturnType<typeof readMetrics>;

export function readMetrics(
  { others }: StartContext,
  {
    store,
    metrics,
    live,
    admission,
    pressure,
    router,
    catalogue,
    exports,
  }: Data & Telemetry & Changes & Routing & Relay & Admitting & Exports,
) {
  const takeMetrics = async (): Promise<void> => {
    metrics.open.set(live.size);
    metrics.showAdmission({ open: admission.open, waiting: admission.waiting, isLate: pressure.isLate });
    metrics.liveTasks.set(await countLiveTasks(store.reads).catch(() => Number.NaN)); // not known while the store is away
    const lines = await countLines(store.reads).catch(() => ({ waiting: Number.NaN, running: Number.NaN }));
    metrics.batchLines.set({ state: 'waiting' }, lines.waiting);
    metrics.batchLines.set({ state: 'running' }, lines.running);
    const openAlerts = await countOpenAlerts(store.reads).catch(() => undefined);
    for (const rule of alertRuleName.options)
      metrics.openAlerts.set({ rule }, openAlerts === undefined ? Number.NaN : (openAlerts.get(rule) ?? 0));
    metrics.showExports(await exports.states().catch(() => []));
    if (store.replica !== undefined) metrics.replica.show(store.replica.state);
    metrics.breakers.reset();
    for (const channel of router.channels(catalogue.current))
      metrics.breakers.set({ channel: channel.facts.name }, channel.breaker.state === 'open' ? 1 : 0);
  };
  const allMetrics = async (): Promise<string> =>
    others === undefined ? takeMetrics().then(() => metrics.registry.metrics()) : others.allMetrics();
  return { takeMetrics, allMetrics };
}
