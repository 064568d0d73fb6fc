// Streamed answers in a closed loop: 100 streams at a time, 50 chunks each, one every 20 ms.
// The cost is per chunk, so the cost of beginning and ending a stream is spread over its chunks.
import { measureCost } from './measure-cost.ts';
import type { Row, RowContext, Stretch } from './row.ts';

const shape = { chunks: 50, everyMs: 20 };

export async function measureStreams(context: RowContext, { name, relay, target }: Stretch): Promise<void> {
  const { load, figures, options } = context;
  const job = { kind: 'streams', target, shape, connections: 100, seconds: options.seconds } as const;
  const { result, cpu } = await measureCost(relay, () => load.run(relay.name, job));
  figures.add(`${name}.rate`, relay.name, result.chunks / result.seconds);
  figures.add(`${name}.cpu`, relay.name, cpu / result.chunks);
  figures.add(`${name}.busy`, relay.name, cpu / result.seconds / 10_000);
}

export const stream: Row = {
  name: 'stream',
  round: async (context) => {
    for (const relay of context.relays) {
      if (relay.pid === undefined) continue;
      await measureStreams(context, { name: 'stream', relay, target: relay.target });
    }
  },
};
