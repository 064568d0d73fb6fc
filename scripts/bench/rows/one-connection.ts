// Time and cost of a small chat at one connection. The relays take turns in short slices, so that a slow moment of the
// machine meets all of them; each round gives one p50 and one p99 per relay.
import { quantile } from '../report/figures.ts';
import { measureCost, warm } from './measure-cost.ts';
import type { Row } from './row.ts';

const slices = 2;
const putOffMs = 100;

export const oneConnection: Row = {
  name: 'whole-1',
  hasSteps: true,
  round: async ({ relays, load, figures, options }) => {
    const sums = new Map(relays.map(({ name }) => [name, { times: [] as number[], requests: 0, cpu: 0 }]));
    // For as long as the other rows, and after as long: a gateway that has been waiting for others needs some thousand requests
    // until it is as fast as one that has been at work.
    const job = {
      kind: 'timed',
      bodyBytes: 1434,
      count: Number.MAX_SAFE_INTEGER,
      seconds: options.seconds / slices,
    } as const;
    for (let slice = 0; slice < slices; slice += 1) {
      for (const relay of relays) {
        const { name, target } = relay;
        await warm(() => load.run(name, { ...job, target, seconds: options.warmSeconds }), putOffMs);
        const { result, cpu } = await measureCost(relay, () => load.run(name, { ...job, target }), putOffMs);
        const sum = sums.get(name);
        if (sum === undefined) continue;
        sum.times.push(...result.times);
        sum.requests += result.requests;
        sum.cpu += cpu;
      }
    }
    for (const [name, { times, requests, cpu }] of sums) {
      figures.add('whole-1.p50', name, quantile(times, 0.5));
      figures.add('whole-1.p99', name, quantile(times, 0.99));
      figures.add('whole-1.cpu', name, cpu / requests);
    }
  },
};
