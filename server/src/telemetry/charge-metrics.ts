// Metrics of what requests and tasks came to: how they ended, how long they took, what they used and cost.
import type { Counter, Metric, Registry } from 'prom-client';
import type { CountedRequest, EndedTask } from './counted-events.ts';
import { Meters } from './meters.ts';

type Where = (typeof WHERE)[number];

interface CountedUsage {
  input_tokens?: number;
  output_tokens?: number;
}

/** What labels are made of. Asked at each event: the catalogue changes. */
export interface LabelNames {
  channelName(id: string): string;
  providerOf(id: string): string;
  isModel(id: string): boolean;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const NANO = 1e9;
const WHERE = ['model', 'provider', 'channel'] as const;

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

export class ChargeMetrics {
  readonly #names: LabelNames;
  readonly #requests: Counter<'endpoint' | 'status' | 'code' | Where>;
  readonly #seconds: Histogram;
  readonly #firstByte: Histogram;
  readonly #charged: Counter<'mode' | Where>;
  readonly #tokens: Counter<'direction' | Where>;
  readonly #upstream: Histogram;
  readonly #usage: Counter<'source'>;
  readonly #bounded: Counter<'channel'>;
  readonly #tallies = new Map<string, Tally>();

  constructor(registry: Registry, names: LabelNames) {
    this.#names = names;
    const meters = new Meters(registry);
    const collect = (): void => this.#countTallies();
    const seconds = (name: string, help: string, labelNames: readonly string[]) =>
      new Histogram({ name, help, labelNames, buckets: SECONDS, registry });
    this.#requests = meters.counter('tollgate_requests_total', 'Requests that reached the relay, by how they ended', {
      labels: ['endpoint', 'status', 'code', ...WHERE],
      collect,
    });
    this.#seconds = seconds('tollgate_request_seconds', 'Time from arrival to settled answer', ['endpoint']);
    this.#firstByte = seconds('tollgate_first_byte_seconds', 'Time from arrival to the first byte of the upstream', [
      'endpoint',
    ]);
    this.#charged = meters.counter('tollgate_charged_total', 'Settled charges in the operator currency', {
      labels: ['mode', ...WHERE],
      collect,
    });
    this.#tokens = meters.counter('tollgate_tokens_total', 'Tokens of settled requests, in (input) and out (output)', {
      labels: ['direction', ...WHERE],
      collect,
    });
    this.#upstream = seconds('tollgate_upstream_seconds', 'Time that upstreams took, attempt by attempt', WHERE);
    this.#usage = meters.counter('tollgate_usage_source_total', 'Settled requests by who counted the usage', {
      labels: ['source'],
      collect,
    });
    this.#bounded = meters.counter(
      'tollgate_usage_bounded_total',
      'Settled requests whose reported usage could not be true and was cut, by channel',
      { labels: ['channel'] },
    );
  }

  ended(request: CountedRequest): void {
    const { endpoint, channel_id: channelId } = request;
    const model = request.model !== null && this.#names.isModel(request.model) ? request.model : '';
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
    if (tally.source === 'bounded') this.#bounded.inc({ channel: this.#names.channelName(request.channel_id ?? '') });
    if (tally.source !== null) tally.charged += Number(request.charge) / NANO;
    if (tally.source !== null && request.usage !== null) {
      const { input_tokens: input = 0, output_tokens: output = 0 } = JSON.parse(request.usage) as CountedUsage;
      tally.inputTokens += input;
      tally.outputTokens += output;
    }
    for (const { channel_id: id, ms } of JSON.parse(request.attempts) as { channel_id: string; ms: number }[])
      this.#upstream.of(`${id} ${model}`, () => this.#where(model, id)).observe(ms / 1000);
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
    return [model, this.#names.providerOf(channelId), this.#names.channelName(channelId)];
  }

  taskEnded({ charge, mode, source, model, channelId }: EndedTask): void {
    if (source === null) return;
    this.#usage.inc({ source });
    if (source === 'bounded') this.#bounded.inc({ channel: this.#names.channelName(channelId ?? '') });
    this.#charged.inc(
      { mode, ...this.#labels(this.#names.isModel(model) ? model : '', channelId) },
      Number(charge) / NANO,
    );
  }
}

interface HistogramSettings {
  name: string;
  help: string;
  labelNames: readonly string[];
  /** Upper bounds, rising. */
  buckets: readonly number[];
  registry: Registry;
}

class Series {
  readonly #bounds: readonly number[];
  /** One for each bound, and one for what is above all. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = [...bounds.map(() => 0), 0];
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] ?? 0)) at += 1;
    this.counts[at] = (this.counts[at] ?? 0) + 1;
    this.sum += value;
  }
}

/**
 * A value costs it a few additions, and only a scrape puts labels together. The library's own looks its series up and checks the
 * labels with every value.
 */
export class Histogram {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  readonly labelNames: readonly string[];
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, { series: Series; labels: () => readonly string[] }>();

  constructor({ name, help, labelNames, buckets, registry }: HistogramSettings) {
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
    this.#bounds = buckets;
    registry.registerMetric(this as unknown as Metric); // whose `get` is all that a registry asks for
  }

  /** The series of a key, to be kept by the one who observes. A scrape asks for its labels, which may have changed. */
  of(key: string, labels: () => readonly string[] = () => [key]): Series {
    const known = this.#series.get(key);
    if (known !== undefined) return known.series;
    const series = new Series(this.#bounds);
    this.#series.set(key, { series, labels });
    return series;
  }

  async get() {
    const { name, help, type, aggregator } = this;
    const values = [...this.#series.values()].flatMap(({ series: { counts, sum }, labels: read }) => {
      const given = read();
      const labels = Object.fromEntries(this.labelNames.map((label, at) => [label, given[at] ?? '']));
      let count = 0;
      const buckets = counts.map((inside, at) => {
        count += inside;
        return { labels: { le: this.#bounds[at] ?? '+Inf', ...labels }, value: count, metricName: `${name}_bucket` };
      });
      return [
        ...buckets,
        { labels, value: sum, metricName: `${name}_sum` },
        { labels, value: count, metricName: `${name}_count` },
      ];
    });
    return { name, help, type, aggregator, values };
  }
}
