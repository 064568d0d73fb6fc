// What Prometheus reads. Labels are few and bounded: endpoints, statuses, and models, providers and channels of the catalogue;
// never tokens or accounts, never text of a client.
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { ChargeMetrics } from './charge-metrics.ts';
import type { CountedRequest, EndedTask, RequestMetrics, TaskMetrics } from './counted-events.ts';
import { EventLoopLag, lagNames } from './event-loop-lag.ts';
import { productVersion } from '../shared/product-version.ts';
import { type ExportedRows, type ExportLag, ExportMetrics } from './export-metrics.ts';
import { ReplicaMetrics } from './replica-metrics.ts';

/** Of gauges with the ending of counters, which checkers of metrics refuse. */
const MISNAMED = ['active_resources_total', 'active_handles_total', 'active_requests_total'];
/** As long as a timer can be: the library's clock of the event loop cannot be left out. */
const NEVER_MS = 2 ** 31 - 1;

export class Metrics implements RequestMetrics, TaskMetrics {
  readonly registry = new Registry();
  /** For tracing, which reports more of a request than is counted. */
  onEnded: ((request: CountedRequest) => void) | undefined;
  readonly #charges: ChargeMetrics;
  readonly #swept: Counter;
  readonly #refused: Counter<'code'>;
  readonly #limited: Counter<'limit'>;
  readonly #rateStoreAway: Gauge;
  readonly replica: ReplicaMetrics;
  readonly #bookProblems: Gauge<'check'>;
  readonly #polls: Counter<'outcome'>;
  readonly #tasksEnded: Counter<'status'>;
  readonly #webhooks: Counter<'outcome'>;
  readonly #openRequests: Gauge;
  readonly #waitingRequests: Gauge;
  readonly #overloaded: Gauge;
  readonly lag: EventLoopLag;
  readonly liveTasks: Gauge;
  /** Lines of batches that are not done. */
  readonly batchLines: Gauge<'state'>;
  readonly openAlerts: Gauge<'rule'>;
  readonly #exports: ExportMetrics;
  readonly open: Gauge;
  readonly breakers: Gauge<'channel'>;
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
    const { registry } = this;
    const registers = [registry];
    collectDefaultMetrics({ register: registry, prefix: 'tollgate_', eventLoopMonitoringPrecision: NEVER_MS });
    for (const name of lagNames) registry.removeSingleMetric(name);
    for (const name of MISNAMED) registry.removeSingleMetric(`tollgate_nodejs_${name}`);
    const build = new Gauge({
      name: 'tollgate_build_info',
      help: 'Always 1; its labels say what runs',
      labelNames: ['version', 'node'],
      aggregator: 'first',
      registers,
    });
    build.set({ version: productVersion, node: process.versions.node }, 1);
    this.lag = new EventLoopLag(registry);
    this.#charges = new ChargeMetrics(registry, this);
    this.#refused = new Counter({
      name: 'tollgate_refused_total',
      help: 'Requests refused at the door',
      labelNames: ['code'],
      registers,
    });
    this.#swept = new Counter({ name: 'tollgate_orphaned_holds_total', help: 'Holds ended by the sweeper', registers });
    this.#limited = new Counter({
      name: 'tollgate_rate_limited_total',
      help: 'Requests refused by a rate policy, by the limit that they met',
      labelNames: ['limit'],
      registers,
    });
    this.#rateStoreAway = new Gauge({
      name: 'tollgate_rate_store_away',
      help: '1 while Redis does not answer and rate limits are per process',
      registers,
    });
    this.replica = new ReplicaMetrics(this.registry);
    this.#bookProblems = new Gauge({
      name: 'tollgate_book_problems',
      help: 'What a quick look at the books found wrong, by check; npm run reconcile names it',
      labelNames: ['check'],
      registers,
    });
    this.#polls = new Counter({
      name: 'tollgate_task_polls_total',
      help: 'Questions to providers about video tasks',
      labelNames: ['outcome'],
      registers,
    });
    this.#tasksEnded = new Counter({
      name: 'tollgate_tasks_ended_total',
      help: 'Video tasks that this process ended',
      labelNames: ['status'],
      registers,
    });
    this.#webhooks = new Counter({
      name: 'tollgate_webhook_attempts_total',
      help: 'Attempts to deliver webhooks',
      labelNames: ['outcome'],
      registers,
    });
    this.liveTasks = new Gauge({
      name: 'tollgate_tasks_live',
      help: 'Video tasks that are not finished',
      aggregator: 'first', // each process counts those of all
      registers,
    });
    this.batchLines = new Gauge({
      name: 'tollgate_batch_lines',
      help: 'Lines of batches that are not done: waiting, or under way',
      labelNames: ['state'],
      aggregator: 'first', // each process counts those of all
      registers,
    });
    this.openAlerts = new Gauge({
      name: 'tollgate_alerts_open',
      help: 'Open alerts, by rule',
      labelNames: ['rule'],
      aggregator: 'first', // each process counts those of all
      registers,
    });
    this.#exports = new ExportMetrics(registry);
    this.open = new Gauge({ name: 'tollgate_open_calls', help: 'Calls to upstreams under way', registers });
    this.breakers = new Gauge({
      name: 'tollgate_channel_open_breaker',
      help: '1 while a channel is kept out',
      labelNames: ['channel'],
      aggregator: 'max',
      registers,
    });
    this.#openRequests = new Gauge({ name: 'tollgate_open_requests', help: 'Public requests under way', registers });
    this.#waitingRequests = new Gauge({
      name: 'tollgate_waiting_requests',
      help: 'Public requests that wait for a queue slot',
      registers,
    });
    this.#overloaded = new Gauge({
      name: 'tollgate_overloaded_workers',
      help: 'Processes whose event loop is late for good',
      registers,
    });
    this.#reportMemory();
  }

  showAdmission({ open, waiting, isLate }: { open: number; waiting: number; isLate: boolean }): void {
    this.#openRequests.set(open);
    this.#waitingRequests.set(waiting);
    this.#overloaded.set(isLate ? 1 : 0);
  }

  #reportMemory(): void {
    const memory = new Gauge({
      name: 'tollgate_worker_memory_bytes',
      help: 'Memory of each worker, by kind',
      labelNames: ['worker', 'kind'],
      registers: [this.registry],
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
