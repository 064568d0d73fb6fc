// Streamed answers in a closed loop: 100 streams at a time, 50 chunks each, one every 20 ms.
// The cost is per chunk, so the cost of beginning and ending a stream is spread over its chunks.
import { measureCost } from './measure-cost.ts';
import type { Row } from './row.ts';

export const stream: Row = {
  name: 'stream',
  round: async ({ relays, load, figures, options }) => {
    for (const { name, target, ...relay } of relays) {
      if (relay.pid === undefined) continue;
      const shape = { chunks: 50, everyMs: 20 };
      const job = { kind: 'streams', target, shape, connections: 100, seconds: options.seconds } as const;
      const { result, cpu } = await measureCost({ name, target, ...relay }, () => load.run(name, job));
      figures.add('stream.rate', name, result.chunks / result.seconds);
      figures.add('stream.cpu', name, cpu / result.chunks);
      figures.add('stream.busy', name, cpu / result.seconds / 10_000);
    }
  },
};
