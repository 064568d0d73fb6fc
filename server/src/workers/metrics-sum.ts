// The metrics of all workers as one: asks each, sums, and goes on counting what workers that are gone had counted, because
// a sum that falls looks to Prometheus like a restart of everything.
import { AggregatorRegistry } from 'prom-client';
import { within } from '../shared/wait.ts';
import type { MetricSeries } from './messages.ts';

export interface AskedWorker {
  id: number;
  ask(question: number): void;
}

const TIMEOUT_MS = 2_000;
/** Levels end with their process; only what counts up stays. */
const COUNTING = new Set(['counter', 'histogram']);

export class MetricsSum {
  readonly #latest = new Map<number, MetricSeries>();
  readonly #waiting = new Map<number, Map<number, () => void>>();
  #gone: Promise<MetricSeries> = Promise.resolve([]);
  #questions = 0;

  /** Prometheus text. A worker that does not answer in time counts as it was when it last did. */
  async gather(workers: readonly AskedWorker[]): Promise<string> {
    const question = ++this.#questions;
    const answers = new Map<number, () => void>();
    this.#waiting.set(question, answers);
    const all = workers.map(
      ({ id, ask }) =>
        new Promise<void>((resolve) => {
          answers.set(id, resolve);
          ask(question);
        }),
    );
    await within(TIMEOUT_MS, Promise.all(all));
    this.#waiting.delete(question);
    const gone = await this.#gone;
    const living = workers.flatMap(({ id }) => {
      const series = this.#latest.get(id);
      return series === undefined ? [] : [series];
    });
    return AggregatorRegistry.aggregate([...living, gone]).metrics();
  }

  heard(workerId: number, series: MetricSeries, question?: number): void {
    this.#latest.set(workerId, series);
    if (question !== undefined) this.#waiting.get(question)?.get(workerId)?.();
  }

  left(workerId: number): void {
    for (const answers of this.#waiting.values()) answers.get(workerId)?.();
    const last = this.#latest.get(workerId);
    this.#latest.delete(workerId);
    if (last === undefined) return;
    const counted = last.filter(({ type }) => COUNTING.has(String(type)));
    this.#gone = this.#gone.then((gone) => AggregatorRegistry.aggregate([gone, counted]).getMetricsAsJSON());
  }
}
