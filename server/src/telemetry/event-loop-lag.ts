// By how much the event loop is late, under the usual names. Fed by the load watch while there is something to do: the
// library's own clock wakes an idle process a hundred times a second.
import { createHistogram } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';
import { nextRound } from '../shared/wait.ts';

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
export const lagNames = [`${PREFIX}_seconds`, ...FIGURES.map(([figure]) => `${PREFIX}_${figure}_seconds`)];

export class EventLoopLag {
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
