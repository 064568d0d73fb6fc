// What Prometheus reads. Labels are few and bounded: endpoints, status classes, channels, never tokens or accounts.
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { EventLoopLag, lagNames } from './event-loop-lag.ts';
import { Histogram, type Series } from './histogram.ts';

/** The fields of a request's log line that are counted. */
export interface CountedRequest {
  endpoint: string;
  status: number;
  error_code: string | null;
  channel_id: string | null;
  first_byte_ms: number | null;
  total_ms: number;
  usage_source: string | null;
  charge: bigint;
  mode: string;
}

export interface RequestMetrics {
  ended(request: CountedRequest): void;
}

export interface EndedTask {
  status: 'SUCCESS' | 'FAILURE';
  charge: bigint;
  mode: string;
  /** Who counted; null where nothing was charged. */
  source: string | null;
  channelId: string | null;
}

export interface TaskMetrics {
  /** How a question about a task went. */
  polled(outcome: 'told' | 'fault'): void;
  taskEnded(task: EndedTask): void;
  webhookSent(outcome: 'delivered' | 'failed'): void;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const NANO = 1e9;
/** As long as a timer can be: the library's clock of the event loop cannot be left out. */
const NEVER_MS = 2 ** 31 - 1;

/** What requests of one kind came to since the last scrape, which alone puts labels together. */
interface Tally {
  endpoint: string;
  status: number;
  code: 'ok' | 'error';
  mode: string;
  source: string | null;
  requests: number;
  charged: number;
  seconds: Series;
  /** Of those that had one. */
  firstByte?: Series;
}

export class Metrics implements RequestMetrics, TaskMetrics {
  readonly registry = new Registry();
  /** Whoever tells more of a request than is counted. */
  onEnded: ((request: CountedRequest) => void) | undefined;
  readonly #requests: Counter<'endpoint' | 'status' | 'code'>;
  readonly #seconds: Histogram;
  readonly #firstByte: Histogram;
  readonly #charged: Counter<'mode'>;
  readonly #usage: Counter<'source'>;
  readonly #bounded: Counter<'channel'>;
  readonly #swept: Counter;
  readonly #tallies = new Map<string, Tally>();
  readonly #refused: Counter<'code'>;
  readonly #limited: Counter<'limit'>;
  readonly #rateStoreAway: Gauge;
  readonly #bookProblems: Gauge<'check'>;
  readonly #polls: Counter<'outcome'>;
  readonly #tasksEnded: Counter<'status'>;
  readonly #webhooks: Counter<'outcome'>;
  readonly #openRequests: Gauge;
  readonly #waitingRequests: Gauge;
  readonly #overloaded: Gauge;
  readonly lag: EventLoopLag;
  readonly liveTasks: Gauge;
  readonly open: Gauge;
  readonly breakers: Gauge<'channel'>;
  /** The name of a channel in the catalogue. */
  channelName: (id: string) => string = (id) => id;
  /** Names this process among those of the machine; never more names than processes. */
  worker: string;

  constructor({ worker = '1' }: { worker?: string } = {}) {
    this.worker = worker;
    const { registry } = this;
    const registers = [registry];
    const collect = (): void => this.#countTallies();
    collectDefaultMetrics({ register: registry, prefix: 'tollgate_', eventLoopMonitoringPrecision: NEVER_MS });
    for (const name of lagNames) registry.removeSingleMetric(name);
    this.lag = new EventLoopLag(registry);
    this.#requests = new Counter({
      name: 'tollgate_requests_total',
      help: 'Requests that reached the relay, by how they ended',
      labelNames: ['endpoint', 'status', 'code'],
      collect,
      registers,
    });
    this.#refused = new Counter({
      name: 'tollgate_refused_total',
      help: 'Requests refused at the door',
      labelNames: ['code'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'tollgate_request_seconds',
      help: 'Time from arrival to settled answer',
      labelName: 'endpoint',
      buckets: SECONDS,
      registry,
    });
    this.#firstByte = new Histogram({
      name: 'tollgate_first_byte_seconds',
      help: 'Time from arrival to the first byte of the upstream',
      labelName: 'endpoint',
      buckets: SECONDS,
      registry,
    });
    this.#charged = new Counter({
      name: 'tollgate_charged_total',
      help: 'Settled charges in the operator currency',
      labelNames: ['mode'],
      collect,
      registers,
    });
    this.#usage = new Counter({
      name: 'tollgate_usage_source_total',
      help: 'Settled requests by who counted the usage',
      labelNames: ['source'],
      collect,
      registers,
    });
    this.#bounded = new Counter({
      name: 'tollgate_usage_bounded_total',
      help: 'Settled requests whose reported usage could not be true and was cut, by channel',
      labelNames: ['channel'],
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
      help: 'Public requests that wait for their turn to begin',
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
    const { endpoint } = request;
    const name = `${request.status} ${request.error_code === null ? 'ok' : 'error'} ${request.usage_source} ${request.mode} ${endpoint}`;
    let tally = this.#tallies.get(name);
    if (tally === undefined) {
      const { status, mode, usage_source: source } = request;
      const code = request.error_code === null ? 'ok' : 'error';
      const seconds = this.#seconds.of(endpoint);
      tally = { endpoint, status, code, mode, source, requests: 0, charged: 0, seconds };
      this.#tallies.set(name, tally);
    }
    tally.requests += 1;
    tally.seconds.observe(request.total_ms / 1000);
    if (request.first_byte_ms !== null) {
      tally.firstByte ??= this.#firstByte.of(endpoint);
      tally.firstByte.observe(request.first_byte_ms / 1000);
    }
    if (tally.source === 'bounded') this.#bounded.inc({ channel: this.channelName(request.channel_id ?? '') });
    if (tally.source !== null) tally.charged += Number(request.charge) / NANO;
    this.onEnded?.(request);
  }

  /** Each of the counters asks for it when it is read. */
  #countTallies(): void {
    for (const tally of this.#tallies.values()) {
      const { endpoint, status, code, mode, source, requests, charged } = tally;
      if (requests === 0) continue;
      tally.requests = 0;
      tally.charged = 0;
      this.#requests.inc({ endpoint, status, code }, requests);
      if (source === null) continue;
      this.#usage.inc({ source }, requests);
      this.#charged.inc({ mode }, charged);
    }
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

  polled(outcome: 'told' | 'fault'): void {
    this.#polls.inc({ outcome });
  }

  taskEnded({ status, charge, mode, source, channelId }: EndedTask): void {
    this.#tasksEnded.inc({ status });
    if (source === null) return;
    this.#usage.inc({ source });
    if (source === 'bounded') this.#bounded.inc({ channel: this.channelName(channelId ?? '') });
    this.#charged.inc({ mode }, Number(charge) / NANO);
  }

  webhookSent(outcome: 'delivered' | 'failed'): void {
    this.#webhooks.inc({ outcome });
  }

  swept(count: number): void {
    this.#swept.inc(count);
  }
}
