// What a soak looks at, minute by minute: the gateway's memory, handles, timers and processor, and how long quick calls take
// beside the load.
import { pause } from '../../../support/wait.ts';
import { metricOf, readMetrics } from './gateway-facts.ts';
import { openHandles, processorSeconds, residentBytes } from './process-facts.ts';
import { quantile } from '../clients/quantile.ts';
import type { Rig } from '../rig.ts';

export interface Sample {
  /** Since the start, at the end of the sample. */
  seconds: number;
  /** MiB. */
  resident: number;
  heap: number;
  handles: number;
  timers: number;
  /** Part of a core. */
  processor: number;
  /** Milliseconds of quick calls. */
  p99: number;
  /** All of them. */
  quick: readonly number[];
  /** Quick calls without an answer of 200. */
  refused: number;
}

const MEBIBYTE = 2 ** 20;
const PROBE_MS = 200;

export class SoakWatch {
  readonly #rig: Rig;
  readonly #pid: number;
  readonly #startedAt = performance.now();
  readonly #probing: Promise<void>;
  #taken: number[] = [];
  #refused = 0;
  #isRunning = true;

  constructor(rig: Rig) {
    this.#rig = rig;
    this.#pid = rig.gateway().child.pid ?? 0;
    this.#probing = this.#probe();
  }

  /** After so many seconds. */
  async sample(seconds: number): Promise<Sample> {
    const [startedAt, before] = [performance.now(), processorSeconds(this.#pid)];
    this.#taken = [];
    this.#refused = 0;
    await pause(seconds * 1000);
    const text = await this.#metrics();
    const now = performance.now();
    return {
      seconds: (now - this.#startedAt) / 1000,
      resident: residentBytes(this.#pid) / MEBIBYTE,
      heap: metricOf(text, 'tollgate_nodejs_heap_size_used_bytes') / MEBIBYTE,
      handles: openHandles(this.#pid),
      timers: metricOf(text, 'tollgate_nodejs_active_resources', 'type="Timeout"'),
      processor: (processorSeconds(this.#pid) - before) / ((now - startedAt) / 1000),
      p99: quantile(this.#taken, 0.99),
      quick: this.#taken,
      refused: this.#refused,
    };
  }

  async end(): Promise<void> {
    this.#isRunning = false;
    await this.#probing;
  }

  /** Asked a few times: a machine that is busy with other work as well may be slow to answer once. */
  async #metrics(tries = 5): Promise<string> {
    return readMetrics(this.#rig.gateway().address).catch((error: unknown) => {
      if (tries > 1) return this.#metrics(tries - 1);
      throw error;
    });
  }

  async #probe(): Promise<void> {
    while (this.#isRunning) {
      const { status, milliseconds } = await this.#rig.call();
      if (status === 200) this.#taken.push(milliseconds);
      else this.#refused++;
      await pause(PROBE_MS);
    }
  }
}

/** Mebibytes a second of resident memory, by least squares. */
export function slopeOf(samples: readonly Pick<Sample, 'seconds' | 'resident'>[]): number {
  const mean = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0) / numbers.length;
  const [x, y] = [mean(samples.map(({ seconds }) => seconds)), mean(samples.map(({ resident }) => resident))];
  const above = samples.reduce((total, { seconds, resident }) => total + (seconds - x) * (resident - y), 0);
  return above / samples.reduce((total, { seconds }) => total + (seconds - x) ** 2, 0);
}

export const flatness = (counts: readonly number[]): string => `${Math.min(...counts)} to ${Math.max(...counts)}`;

/** At most so many rows, evenly chosen. */
export function soakTable(samples: readonly Sample[], most: number): string {
  const step = Math.ceil(samples.length / most);
  const rows = samples
    .filter((_, index) => index % step === 0 || index === samples.length - 1)
    .map(({ seconds, resident, heap, handles, timers, processor, p99 }) =>
      [
        (seconds / 60).toFixed(1),
        resident.toFixed(1),
        heap.toFixed(1),
        handles,
        timers,
        `${(processor * 100).toFixed(0)} %`,
        `${p99.toFixed(0)} ms`,
      ].join(' | '),
    );
  const head = '| Minute | Resident MiB | Heap MiB | Handles | Timers | Core | p99 |\n|---|---|---|---|---|---|---|';
  return [head, ...rows.map((row) => `| ${row} |`)].join('\n');
}
