// What Prometheus reads. Labels are few and bounded: endpoints, statuses, and models, providers and channels of the catalogue;
// never tokens or accounts, never text of a client.
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { ChargeMetrics } from './charge-metrics.ts';
import type { CountedRequest, EndedTask, RequestMetrics, TaskMetrics } from './counted-events.ts';
import { productVersion } from '../shared/product-version.ts';
import { type ExportedRows, type ExportLag, ExportMetrics } from './export-metrics.ts';
import { Meters } from './meters.ts';
import { ReplicaMetrics } from './replica-metrics.ts';
import { createHistogram } from 'node:perf_hooks';
import { nextRound } from '../shared/wait.ts';

/** Of gauges with the ending of counters, which checkers of metrics refuse. */
const MISNAMED = ['resources', 'handles', 'requests'].map((name) => `tollgate_nodejs_active_${name}_total`);
/** As long as a timer can be: the library's clock of the event loop cannot be left out. */
const NEVER_MS = 2 ** 31 - 1;
/** Each process counts those of all. */
const OF_ALL = { aggregator: 'first' } as const;

export class Metrics implements RequestMetrics, TaskMetrics {
  readonly registry = openRegistry();
  readonly #meters = new Meters(this.registry);
  readonly lag = new EventLoopLag(this.registry);
  readonly #charges = new ChargeMetrics(this.registry, this);
  readonly #refused = this.#meters.counter('tollgate_refused_total', 'Requests refused at the door', {
    labels: ['code'],
  });
  readonly #swept = this.#meters.counter('tollgate_orphaned_holds_total', 'Holds ended by the sweeper');
  readonly #limited = this.#meters.counter(
    'tollgate_rate_limited_total',
    'Requests refused by a rate policy, by the limit that they met',
    { labels: ['limit'] },
  );
  readonly #rateStoreAway = this.#meters.gauge(
    'tollgate_rate_store_away',
    '1 while Redis does not answer and rate limits are per process',
  );
  readonly replica = new ReplicaMetrics(this.registry);
  readonly #bookProblems = this.#meters.gauge(
    'tollgate_book_problems',
    'What a quick look at the books found wrong, by check; npm run reconcile names it',
    { labels: ['check'] },
  );
  readonly #polls = this.#meters.counter('tollgate_task_polls_total', 'Questions to providers about video tasks', {
    labels: ['outcome'],
  });
  readonly #tasksEnded = this.#meters.counter('tollgate_tasks_ended_total', 'Video tasks that this process ended', {
    labels: ['status'],
  });
  readonly #webhooks = this.#meters.counter('tollgate_webhook_attempts_total', 'Attempts to deliver webhooks', {
    labels: ['outcome'],
  });
  readonly liveTasks = this.#meters.gauge('tollgate_tasks_live', 'Video tasks that are not finished', OF_ALL);
  readonly batchLines = this.#meters.gauge(
    'tollgate_batch_lines',
    'Lines of batches that are not done: waiting, or under way',
    { ...OF_ALL, labels: ['state'] },
  );
  readonly openAlerts = this.#meters.gauge('tollgate_alerts_open', 'Open alerts, by rule', {
    ...OF_ALL,
    labels: ['rule'],
  });
  readonly #exports = new ExportMetrics(this.registry);
  readonly open = this.#meters.gauge('tollgate_open_calls', 'Calls to upstreams under way');
  readonly breakers = this.#meters.gauge('tollgate_channel_open_breaker', '1 while a channel is kept out', {
    labels: ['channel'],
    aggregator: 'max',
  });
  readonly #openRequests = this.#meters.gauge('tollgate_open_requests', 'Public requests under way');
  readonly #waitingRequests = this.#meters.gauge(
    'tollgate_waiting_requests',
    'Public requests that wait for a queue slot',
  );
  readonly #overloaded = this.#meters.gauge(
    'tollgate_overloaded_workers',
    'Processes whose event loop is late for good',
  );
  /** For tracing, which reports more of a request than is counted. */
  onEnded: ((request: CountedRequest) => void) | undefined;
  /** The name of a channel in the catalogue. */
  channelName: (id: string) => string = (id) => id;
  /** The provider of a channel of the catalogue. */
  providerOf: (id: string) => string = () => '';
  /** Whether the catalogue has it: what a client asked for may be any text. */
  isModel: (id: string) => boolean = () => true;
  /** Names this process among those of the machine; never more names than processes. */
  worker: string;

  constructor({ worker = '1' }: { worker?: string } = {}) {
    this.worker = worker;
    this.#reportMemory();
  }

  showAdmission({ open, waiting, isLate }: { open: number; waiting: number; isLate: boolean }): void {
    this.#openRequests.set(open);
    this.#waitingRequests.set(waiting);
    this.#overloaded.set(isLate ? 1 : 0);
  }

  #reportMemory(): void {
    const memory = this.#meters.gauge('tollgate_worker_memory_bytes', 'Memory of each worker, by kind', {
      labels: ['worker', 'kind'],
      collect: () => {
        const { rss, heapUsed, external } = process.memoryUsage();
        memory.reset();
        for (const [kind, bytes] of Object.entries({ rss, heap: heapUsed, external }))
          memory.set({ worker: this.worker, kind }, bytes);
      },
    });
  }

  ended(request: CountedRequest): void {
    this.#charges.ended(request);
    this.onEnded?.(request);
  }

  refused(code: string): void {
    this.#refused.inc({ code });
  }

  limited(limit: string): void {
    this.#limited.inc({ limit });
  }

  bookProblems(counts: Record<string, number>): void {
    for (const [check, count] of Object.entries(counts)) this.#bookProblems.set({ check }, count);
  }

  rateStoreAway(away: boolean): void {
    this.#rateStoreAway.set(away ? 1 : 0);
  }

  polled(outcome: 'answered' | 'fault'): void {
    this.#polls.inc({ outcome });
  }

  taskEnded(task: EndedTask): void {
    this.#tasksEnded.inc({ status: task.status });
    this.#charges.taskEnded(task);
  }

  webhookSent(outcome: 'delivered' | 'failed'): void {
    this.#webhooks.inc({ outcome });
  }

  exported(batch: ExportedRows): void {
    this.#exports.count(batch);
  }

  showExports(lags: readonly ExportLag[]): void {
    this.#exports.show(lags);
  }

  swept(count: number): void {
    this.#swept.inc(count);
  }
}

/** With the library's own, those that are wrong left out. */
function openRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'tollgate_', eventLoopMonitoringPrecision: NEVER_MS });
  for (const name of [...lagNames, ...MISNAMED]) registry.removeSingleMetric(name);
  const build = new Meters(registry).gauge('tollgate_build_info', 'Always 1; its labels say what runs', {
    labels: ['version', 'node'],
    aggregator: 'first',
  });
  build.set({ version: productVersion, node: process.versions.node }, 1);
  return registry;
}

const NANOSECONDS = 1e9;
const PREFIX = 'tollgate_nodejs_eventloop_lag';
/** The last part of each name, what it says, and how those of several processes become one. */
const FIGURES = [
  ['min', 'The least delay of the event loop', 'min'],
  ['max', 'The longest delay of the event loop', 'max'],
  ['mean', 'The mean of the delays of the event loop', 'average'],
  ['stddev', 'The standard deviation of the delays of the event loop', 'average'],
  ['p50', 'The 50th percentile of the delays of the event loop', 'average'],
  ['p90', 'The 90th percentile of the delays of the event loop', 'average'],
  ['p99', 'The 99th percentile of the delays of the event loop', 'average'],
] as const;
type Figure = (typeof FIGURES)[number][0];

/** All names, so that the library's can make room for them. */
const lagNames = [`${PREFIX}_seconds`, ...FIGURES.map(([figure]) => `${PREFIX}_${figure}_seconds`)];

/**
 * By how much the event loop is late, under the usual names. Fed by the load watch while there is something to do: the library's
 * own clock wakes an idle process a hundred times a second.
 */
class EventLoopLag {
  /** Since they were last asked for. */
  readonly #delays = createHistogram();

  constructor(registry: Registry) {
    const registers = [registry];
    const delays = this.#delays;
    // The first to be asked sets them all: the others tell what they have at that moment.
    const current = new Gauge({
      name: `${PREFIX}_seconds`,
      help: 'Delay of the event loop now',
      aggregator: 'average',
      registers,
      collect: async () => {
        for (const { figure, gauge } of gauges) gauge.set(delays.count === 0 ? 0 : readFigure(delays, figure));
        delays.reset();
        const askedAt = performance.now();
        await nextRound();
        current.set((performance.now() - askedAt) / 1000);
      },
    });
    const gauges = FIGURES.map(([figure, help, aggregator]) => {
      const name = `${PREFIX}_${figure}_seconds`;
      return { figure, gauge: new Gauge({ name, help: `${help} while requests came`, aggregator, registers }) };
    });
  }

  note(milliseconds: number): void {
    this.#delays.record(Math.max(1, Math.round(milliseconds * 1e6)));
  }
}

function readFigure(delays: ReturnType<typeof createHistogram>, figure: Figure): number {
  const nanoseconds = figure.startsWith('p') ? delays.percentile(Number(figure.slice(1))) : delays[figure as 'min'];
  return nanoseconds / NANOSECONDS;
}
