// Mixed streams for as long as is asked (FT-26): memory, handles and timers stay where they are after the warm-up, and
// quick calls take as long at the end as at the start.
import assert from 'node:assert/strict';
import { pause } from '../../support/wait.ts';
import { BOTH, type Fault } from '../command/fault.ts';
import { Load } from '../rig/clients/load.ts';
import { flatness, type Sample, SoakWatch, soakTable, slopeOf } from '../rig/records/soak-watch.ts';

const WARM_UP_PART = 0.25;
/** MiB in ten minutes (promise B-04). */
const MOST_SLOPE = 1;
/** Below this a slope is the noise of the collector. */
const LEAST_SECONDS = 1_800;
const SECONDS = 120;
/** Of a core. */
const CORE = 0.3;
const SAMPLES = 60;

export const soak: Fault = {
  id: 'FT-26',
  title: 'a soak of mixed streams: memory slope, handles, timers, p99',
  stores: BOTH,
  rounds: 1,
  isSoak: true,
  async run(bench) {
    const length = bench.seconds ?? SECONDS;
    const rig = await bench.startRig({ gateways: 1 });
    const load = new Load(rig, { clients: 80, random: bench.random, pauseMs: 400, isLong: true });
    const watch = new SoakWatch(rig);
    const samples: Sample[] = [];
    const every = Math.min(60, length / 10);
    for (const until = performance.now() + length * 1000; performance.now() < until;) {
      const sample = await watch.sample(every);
      samples.push(sample);
      // Towards the part of the processor that is meant: more rest when it is more.
      load.pauseMs = Math.max(
        0,
        Math.min(5_000, (load.pauseMs ?? 0) + (sample.processor - (bench.core ?? CORE)) * 1_000),
      );
    }
    await Promise.all([load.end(), watch.end()]);
    for (const { status, complete, failure } of rig.journal)
      assert.deepEqual([status, complete], [200, true], `a call ended with ${failure ?? status}`);
    const warm = samples.filter(({ seconds }) => seconds > length * WARM_UP_PART);
    const slope = slopeOf(warm) * 600;
    const [first, last] = [samples[0], samples.at(-1)];
    assert.ok(first !== undefined && last !== undefined);
    const words =
      `${(length / 60).toFixed(0)} min, ${rig.journal.length} calls; after the warm-up memory ${slope.toFixed(2)} MiB per 10 min, ` +
      `handles ${flatness(warm.map(({ handles }) => handles))}, timers ${flatness(warm.map(({ timers }) => timers))}; ` +
      `p99 of quick calls ${first.p99.toFixed(0)} ms in the first minute, ${last.p99.toFixed(0)} ms in the last`;
    bench.note(words);
    bench.figures(`${bench.store}: ${words}.\n\n${soakTable(samples, SAMPLES)}`);
    if (length >= LEAST_SECONDS) assert.ok(slope < MOST_SLOPE, `${slope.toFixed(2)} MiB per 10 min`);
    for (const counts of [warm.map(({ handles }) => handles), warm.map(({ timers }) => timers)])
      assert.ok(Math.max(...counts) < Math.min(...counts) + 60, `handles or timers grow: ${flatness(counts)}`);
    await pause(500);
    return rig.reconcile();
  },
};
