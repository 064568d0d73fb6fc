// Streamed answers in a closed loop: 100 streams at a time, 50 chunks each, one every 20 ms, for the cost of a chunk (that
// of beginning and ending a stream is spread over its chunks); and 200 at a time for the time of the first part.
import { quantile } from '../report/figures.ts';
import { isTelling, measureCost, warm } from './measure-cost.ts';
import { type Row, type RowContext, type LoadPhase, withProcesses } from './row.ts';

const shape = { chunks: 50, everyMs: 20 };

export async function measureStreams(context: RowContext, { name, relay, target }: LoadPhase): Promise<void> {
  const { load, figures, phases, options } = context;
  const job = { kind: 'streams', target, shape, connections: 100, seconds: options.seconds } as const;
  await warm(() => load.run(relay.name, { ...job, seconds: options.warmSeconds }));
  await phases.measure(figures, relay.name, async () => {
    const { result, cpu } = await measureCost(relay, () => load.run(relay.name, job));
    if (!isTelling(result)) return undefined;
    return {
      [`${name}.rate`]: result.chunks / result.seconds,
      [`${name}.cpu`]: cpu / result.chunks,
      [`${name}.busy`]: cpu / result.seconds / 10_000,
    };
  });
}

export const stream: Row = {
  name: 'stream',
  hasSteps: true,
  round: async (context) => {
    for (const relay of withProcesses(context.relays)) {
      await measureStreams(context, { name: 'stream', relay, target: relay.target });
    }
  },
};

export const firstByte: Row = {
  name: 'first-byte',
  round: async ({ relays, load, figures, phases, options }) => {
    // They begin spread over the time of a chunk, and end so, so the beginnings stay spread.
    const slow = { chunks: 2, everyMs: 500 };
    const job = { kind: 'streams', shape: slow, connections: 200, seconds: options.seconds } as const;
    for (const { name, target } of relays) {
      await warm(() => load.run(name, { ...job, target, seconds: options.warmSeconds }));
      await phases.measure(figures, name, async () => {
        const { times } = await load.run(name, { ...job, target });
        return { 'first-byte.p50': quantile(times, 0.5), 'first-byte.p99': quantile(times, 0.99) };
      });
    }
  },
};
