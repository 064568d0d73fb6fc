// Time and cost of a small chat at one connection, on cores as they are, and beside it on cores that are kept awake.
import { setTimeout as pause } from 'node:timers/promises';
import { canKeepAwake, keepAwake } from '../processes/awake-cores.ts';
import { quantile } from '../report/figures.ts';
import { measureCost, warm } from './measure-cost.ts';
import type { Row, RowContext } from './row.ts';

const putOffMs = 100;
/** Until those who keep the cores awake do so. */
const wakeMs = 100;

export const oneConnection: Row = {
  name: 'whole-1',
  hasSteps: true,
  before: async ({ processes, notes }) => {
    if (!canKeepAwake(processes))
      notes.push(
        'Cores could not be kept awake here (no chrt or taskset): the lines that begin with awake are of cores that may sleep.',
      );
  },
  round: async (context) => {
    await measure(context, 'whole-1');
    await keepAwake(context.processes, async () => {
      await pause(wakeMs);
      await measure(context, 'whole-1.awake');
    });
  },
};

async function measure({ relays, load, figures, phases, options }: RowContext, name: string): Promise<void> {
  // After a warm-up of as long as in the other rows: a gateway that has been waiting for others needs some thousand requests
  // until it is as fast as one that has been at work.
  const job = { kind: 'timed', bodyBytes: 1434, count: Number.MAX_SAFE_INTEGER, seconds: options.seconds } as const;
  for (const relay of relays) {
    const { target } = relay;
    await warm(() => load.run(relay.name, { ...job, target, seconds: options.warmSeconds }), putOffMs);
    await phases.measure(figures, relay.name, async () => {
      const { result, cpu } = await measureCost(relay, () => load.run(relay.name, { ...job, target }), putOffMs);
      return {
        [`${name}.p50`]: quantile(result.times, 0.5),
        [`${name}.p99`]: quantile(result.times, 0.99),
        [`${name}.cpu`]: cpu / result.requests,
      };
    });
  }
}
