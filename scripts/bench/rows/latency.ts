// Time of a small chat at one connection. The relays take turns in short slices, so that a slow moment of the machine
// meets all of them; each round gives one p50 and one p99 per relay.
import { quantile } from '../report/figures.ts';
import type { Row } from './row.ts';

const slices = 10;

export const latency: Row = {
  name: 'latency',
  round: async ({ relays, load, figures, options }) => {
    const times = new Map(relays.map((relay) => [relay.name, [] as number[]]));
    for (let slice = 0; slice < slices; slice += 1) {
      for (const { name, target } of relays) {
        const count = Math.ceil(options.latencyRequests / slices);
        const result = await load.run(name, { kind: 'timed', target, bodyBytes: 1434, count });
        times.get(name)?.push(...result.times);
      }
    }
    for (const [name, values] of times) {
      figures.add('latency.p50', name, quantile(values, 0.5));
      figures.add('latency.p99', name, quantile(values, 0.99));
    }
  },
};
