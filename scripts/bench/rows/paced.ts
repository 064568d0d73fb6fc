// Small chats at a fixed rate, timed from when each was due. A relay that cannot carry the rate with room to spare is left
// out: its queue would grow as long as the row lasts, and the figure would tell the length of the row.
import type { RunningRelay } from '../relays/relay.ts';
import { quantile } from '../report/figures.ts';
import { warm } from './measure-cost.ts';
import type { Row, RowContext } from './row.ts';
import { smallChat } from './whole.ts';

const headroom = 1.3;
const probeSeconds = 0.7;
/** A relay that has just been started is not what is measured later. */
const warmUpSeconds = 3;
const tooSlow = new WeakSet<RunningRelay['target']>();

async function probe({ relays, load, options, notes }: RowContext): Promise<void> {
  for (const { name, target } of relays) {
    const job = { kind: 'loop', target, ...smallChat, seconds: probeSeconds } as const;
    await load.run(name, { ...job, seconds: warmUpSeconds });
    const { requests, seconds } = await load.run(name, job);
    const rate = requests / seconds;
    if (rate >= options.rate * headroom) continue;
    tooSlow.add(target);
    notes.push(
      `${name} answers ${rate.toFixed(0)} small chats a second here, too few for the ${options.rate} of the paced row.`,
    );
  }
}

export const paced: Row = {
  name: 'paced',
  before: probe,
  round: async ({ relays, load, figures, phases, options }) => {
    const { rate, seconds } = options;
    for (const { name, target } of relays) {
      if (tooSlow.has(target)) continue;
      const job = { kind: 'paced', target, bodyBytes: smallChat.bodyBytes, rate, seconds } as const;
      await warm(() => load.run(name, { ...job, seconds: options.warmSeconds }));
      await phases.measure(figures, name, async () => {
        const { times } = await load.run(name, job);
        return {
          'paced.p50': quantile(times, 0.5),
          'paced.p99': quantile(times, 0.99),
          'paced.p999': quantile(times, 0.999),
        };
      });
    }
  },
};
