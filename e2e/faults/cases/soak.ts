// Mixed streams for as long as is asked (FT-26): memory and handles stay where they are after the warm-up.
import assert from 'node:assert/strict';
import { pause } from '../../support/wait.ts';
import { BOTH, type Fault } from '../command/fault.ts';
import { Load } from '../rig/load.ts';
import { openHandles, residentBytes } from '../rig/process-facts.ts';
import { quantile } from '../rig/quantile.ts';

const WARM_UP_PART = 0.25;
const MOST_SLOPE = 1;
/** Below this a slope is the noise of the collector. */
const LEAST_SECONDS = 600;

interface Sample {
  seconds: number;
  mebibytes: number;
  handles: number;
}

export const soak: Fault = {
  id: 'FT-26',
  title: 'a soak of mixed streams: memory slope, handles, p99',
  stores: BOTH,
  rounds: 1,
  isSoak: true,
  async run(bench) {
    const length = bench.seconds ?? 120;
    const rig = await bench.startRig({ gateways: 1 });
    const pid = rig.gateway().child.pid ?? 0;
    const load = new Load(rig, { clients: 12, random: bench.random, pauseMs: 150 });
    const startedAt = performance.now();
    const samples: Sample[] = [];
    const tenths: number[] = [0];
    while (performance.now() - startedAt < length * 1000) {
      await pause(Math.min(5_000, (length * 1000) / 40));
      const seconds = (performance.now() - startedAt) / 1000;
      samples.push({ seconds, mebibytes: residentBytes(pid) / 2 ** 20, handles: openHandles(pid) });
      if (seconds > (length / 10) * tenths.length) tenths.push(rig.journal.length);
    }
    await load.end();
    for (const { status, complete, failure } of rig.journal)
      assert.deepEqual([status, complete], [200, true], `a call ended with ${failure ?? status}`);
    const warm = samples.filter(({ seconds }) => seconds > length * WARM_UP_PART);
    const slope = slopeOf(warm) * 600;
    const handles = warm.map((sample) => sample.handles);
    const [first, last] = [rig.journal.slice(tenths[1], tenths[2]), rig.journal.slice(tenths.at(-2))].map((part) =>
      quantile(
        part.map(({ milliseconds, usage }) => milliseconds / Math.max(1, usage?.output ?? 1)),
        0.99,
      ),
    );
    bench.note(
      `${Math.round(length / 60)} min, ${rig.journal.length} calls; memory ${Math.round(warm[0]?.mebibytes ?? 0)} to ${Math.round(warm.at(-1)?.mebibytes ?? 0)} MiB, ` +
        `slope ${slope.toFixed(2)} MiB per 10 min; handles ${Math.min(...handles)} to ${Math.max(...handles)}; ` +
        `p99 per token ${first?.toFixed(1)} ms at the start, ${last?.toFixed(1)} ms at the end`,
    );
    if (length >= LEAST_SECONDS) assert.ok(slope < MOST_SLOPE, `${slope.toFixed(2)} MiB per 10 min`);
    assert.ok(Math.max(...handles) < Math.min(...handles) + 60, 'handles grow');
    return rig.reconcile();
  },
};

/** Mebibytes a second, by least squares. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0) / numbers.length;
  const [x, y] = [mean(samples.map(({ seconds }) => seconds)), mean(samples.map(({ mebibytes }) => mebibytes))];
  const above = samples.reduce((total, { seconds, mebibytes }) => total + (seconds - x) * (mebibytes - y), 0);
  return above / samples.reduce((total, { seconds }) => total + (seconds - x) ** 2, 0);
}
