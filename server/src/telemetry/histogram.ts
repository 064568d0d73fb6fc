// A histogram of the hot path: a value costs it a few additions, and only a scrape puts labels together. The library's own
// looks its series up and checks the labels with every value.
import type { Metric, Registry } from 'prom-client';

export interface HistogramSettings {
  name: string;
  help: string;
  labelNames: readonly string[];
  /** Upper bounds, rising. */
  buckets: readonly number[];
  registry: Registry;
}

export class Series {
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
