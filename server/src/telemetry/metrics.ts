// What Prometheus reads. Labels are few and bounded: endpoints, statuses, and models, providers and channels of the catalogue;
// never tokens or accounts, never text of a client.
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { EventLoopLag, lagNames } from './event-loop-lag.ts';
import { productVersion } from '../shared/product-version.ts';
import { type ExportedRows, type ExportLag, ExportMetrics } from './export-metrics.ts';
import { Histogram, type Series } from './histogram.ts';
import { ReplicaMetrics } from './replica-metrics.ts';

type Where = (typeof WHERE)[number];

interface CountedUsage {
  input_tokens?: number;
  output_tokens?: number;
}

/** The fields of a request's log line that are counted. */
export interface CountedRequest {
  endpoint: string;
  status: number;
  error_code: string | null;
  model: string | null;
  channel_id: string | null;
  /** JSON: a list of `{channel_id, ms}`. */
  attempts: string;
  /** JSON, or null. */
  usage: string | null;
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
  model: string;
  channelId: string | null;
}

export interface TaskMetrics {
  /** How a question about a task went. */
  polled(outcome: 'answered' | 'fault'): void;
  taskEnded(task: EndedTask): void;
  webhookSent(outcome: 'delivered' | 'failed'): void;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const NANO = 1e9;
const WHERE = ['model', 'provider', 'channel'] as const;
/** Of gauges with the ending of counters, which checkers of metrics refuse. */
const MISNAMED = ['active_resources_total', 'active_handles_total', 'active_requests_total'];
/** As long as a timer can be: the library's clock of the event loop cannot be left out. */
const NEVER_MS = 2 ** 31 - 1;

/** What requests of one kind came to since the last scrape, which alone puts labels together. */
interface Tally {
  model: string;
  channelId: string | null;
  inputTokens: number;
  outputTokens: number;
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
  /** For tracing, which reports more of a request than is counted. */
  onEnded: ((request: CountedRequest) => void) | undefined;
  readonly #requests: Counter<'endpoint' | 'status' | 'code' | Where>;
  readonly #seconds: Histogram;
  readonly #firstByte: Histogram;
  readonly #charged: Counter<'mode' | Where>;
  readonly #tokens: Counter<'direction' | Where>;
  readonly #upstream: Histogram;
  readonly #usage: Counter<'source'>;
  readonly #bounded: Counter<'channel'>;
  readonly #swept: Counter;
  readonly #tallies = new Map<string, Tally>();
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
    const collect = (): void => this.#countTallies();
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
    this.#requests = new Counter({
      name: 'tollgate_requests_total',
      help: 'Requests that reached the relay, by how they ended',
      labelNames: ['endpoint', 'status', 'code', ...WHERE],
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
      labelNames: ['endpoint'],
      buckets: SECONDS,
      registry,
    });
    this.#firstByte = new Histogram({
      name: 'tollgate_first_byte_seconds',
      help: 'Time from arrival to the first byte of the upstream',
      labelNames: ['endpoint'],
      buckets: SECONDS,
      registry,
    });
    this.#charged = new Counter({
      name: 'tollgate_charged_total',
      help: 'Settled charges in the operator currency',
      labelNames: ['mode', ...WHERE],
      collect,
      registers,
    });
    this.#tokens = new Counter({
      name: 'tollgate_tokens_total',
      help: 'Tokens of settled requests, in (input) and out (output)',
      labelNames: ['direction', ...WHERE],
      collect,
      registers,
    });
    this.#upstream = new Histogram({
      name: 'tollgate_upstream_seconds',
      help: 'Time that upstreams took, attempt by attempt',
      labelNames: WHERE,
      buckets: SECONDS,
      registry,
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
    const { endpoint, channel_id: channelId } = request;
    const model = request.model !== null && this.isModel(request.model) ? request.model : '';
    const name = `${channelId} ${model} ${request.status} ${request.error_code === null ? 'ok' : 'error'} ${request.usage_source} ${request.mode} ${endpoint}`;
    let tally = this.#tallies.get(name);
    if (tally === undefined) {
      const { status, mode, usage_source: source } = request;
      const code = request.error_code === null ? 'ok' : 'error';
      const seconds = this.#seconds.of(endpoint);
      tally = {
        endpoint,
        status,
        code,
        mode,
        source,
        model,
        channelId,
        seconds,
        requests: 0,
        charged: 0,
        inputTokens: 0,
        outputTokens: 0,
      };
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
    if (tally.source !== null && request.usage !== null) {
      const { input_tokens: input = 0, output_tokens: output = 0 } = JSON.parse(request.usage) as CountedUsage;
      tally.inputTokens += input;
      tally.outputTokens += output;
    }
    for (const { channel_id: id, ms } of JSON.parse(request.attempts) as { channel_id: string; ms: number }[])
      this.#upstream.of(`${id} ${model}`, () => this.#where(model, id)).observe(ms / 1000);
    this.onEnded?.(request);
  }

  /** Each of the counters asks for it when it is read. */
  #countTallies(): void {
    for (const tally of this.#tallies.values()) {
      const { endpoint, status, code, mode, source, requests, charged, inputTokens, outputTokens } = tally;
      if (requests === 0) continue;
      Object.assign(tally, { requests: 0, charged: 0, inputTokens: 0, outputTokens: 0 });
      const where = this.#labels(tally.model, tally.channelId);
      this.#requests.inc({ endpoint, status, code, ...where }, requests);
      if (source === null) continue;
      this.#usage.inc({ source }, requests);
      this.#charged.inc({ mode, ...where }, charged);
      if (inputTokens > 0) this.#tokens.inc({ direction: 'input', ...where }, inputTokens);
      if (outputTokens > 0) this.#tokens.inc({ direction: 'output', ...where }, outputTokens);
    }
  }

  #labels(model: string, channelId: string | null): Record<Where, string> {
    const [, provider, channel] = this.#where(model, channelId);
    return { model, provider, channel };
  }

  /** In the order of WHERE. */
  #where(model: string, channelId: string | null): [model: string, provider: string, channel: string] {
    if (channelId === null) return [model, '', ''];
    return [model, this.providerOf(channelId), this.channelName(channelId)];
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

  taskEnded({ status, charge, mode, source, model, channelId }: EndedTask): void {
    this.#tasksEnded.inc({ status });
    if (source === null) return;
    this.#usage.inc({ source });
    if (source === 'bounded') this.#bounded.inc({ channel: this.channelName(channelId ?? '') });
    this.#charged.inc({ mode, ...this.#labels(this.isModel(model) ? model : '', channelId) }, Number(charge) / NANO);
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
