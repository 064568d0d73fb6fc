// The metrics of all workers as one: asks each, sums, and goes on counting what workers that are gone had counted, because
// a sum that falls looks to Prometheus like a restart of everything.
import { AggregatorRegistry } from 'prom-client';
import { AskAll, type AskedWorker } from './ask-all.ts';
import type { MetricSeries } from './messages.ts';

/** Levels end with their process; only what counts up stays. */
const COUNTING = new Set(['counter', 'histogram']);

export class MetricsSum {
  readonly #latest = new Map<number, MetricSeries>();
  readonly #asked = new AskAll();
  #gone: Promise<MetricSeries> = Promise.resolve([]);

  /** Prometheus text. A worker that does not answer in time counts as it was when it last did. */
  async gather(workers: readonly AskedWorker[]): Promise<string> {
    await this.#asked.ask(workers);
    const gone = await this.#gone;
    const living = workers.flatMap(({ id }) => {
      const series = this.#latest.get(id);
      return series === undefined ? [] : [series];
    });
    return AggregatorRegistry.aggregate([...living, gone]).metrics();
  }

  heard(workerId: number, series: MetricSeries, question?: number): void {
    this.#latest.set(workerId, series);
    if (question !== undefined) this.#asked.answered(workerId, question);
  }

  left(workerId: number): void {
    this.#asked.left(workerId);
    const last = this.#latest.get(workerId);
    this.#latest.delete(workerId);
    if (last === undefined) return;
    const counted = last.filter(({ type }) => COUNTING.has(String(type)));
    this.#gone = this.#gone.then((gone) => AggregatorRegistry.aggregate([gone, counted]).getMetricsAsJSON());
  }
}
