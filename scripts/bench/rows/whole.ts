// Whole answers in a closed loop: many small chats, and few chats with a body of 1 MB.
// The cost of a request is the relay's processor time over the answers it gave.
import { measureCost } from './measure-cost.ts';
import type { Row, RowContext, Stretch } from './row.ts';

interface Shape {
  bodyBytes: number;
  connections: number;
}

export const smallChat: Shape = { bodyBytes: 1434, connections: 64 };

export async function measureWhole(context: RowContext, stretch: Stretch, shape: Shape): Promise<void> {
  const { name, relay, target } = stretch;
  const { load, figures, options } = context;
  const job = { kind: 'loop', target, ...shape, seconds: options.seconds } as const;
  const { result, cpu } = await measureCost(relay, () => load.run(relay.name, job));
  figures.add(`${name}.rate`, relay.name, result.requests / result.seconds);
  figures.add(`${name}.cpu`, relay.name, cpu / result.requests);
  figures.add(`${name}.busy`, relay.name, cpu / result.seconds / 10_000);
}

export const whole: Row = {
  name: 'whole',
  round: async (context) => {
    // Straight to the upstream this tells the most that the load generator can do.
    for (const relay of context.relays) {
      await measureWhole(context, { name: 'whole', relay, target: relay.target }, smallChat);
    }
  },
};

export const large: Row = {
  name: 'large',
  round: async (context) => {
    for (const relay of context.relays) {
      if (relay.pid === undefined) continue;
      const stretch = { name: 'large', relay, target: relay.target };
      await measureWhole(context, stretch, { bodyBytes: 1_048_576, connections: 8 });
    }
  },
};
