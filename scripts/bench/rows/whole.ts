// Whole answers in a closed loop: many small chats, and few chats with a body of 1 MB.
// The cost of a request is the relay's processor time over the answers it gave.
import { measureCost } from './measure-cost.ts';
import type { Row } from './row.ts';

interface Shape {
  name: 'whole' | 'large';
  bodyBytes: number;
  connections: number;
  /** Straight to the upstream this tells the most that the load generator can do. */
  withDirect: boolean;
}

function wholeRow({ name, bodyBytes, connections, withDirect }: Shape): Row {
  return {
    name,
    round: async ({ relays, load, figures, options }) => {
      for (const relay of relays) {
        if (relay.pid === undefined && !withDirect) continue;
        const job = { kind: 'loop', target: relay.target, bodyBytes, connections, seconds: options.seconds } as const;
        const { result, cpu } = await measureCost(relay, () => load.run(relay.name, job));
        figures.add(`${name}.rate`, relay.name, result.requests / result.seconds);
        figures.add(`${name}.cpu`, relay.name, cpu / result.requests);
        figures.add(`${name}.busy`, relay.name, cpu / result.seconds / 10_000);
      }
    },
  };
}

export const whole = wholeRow({ name: 'whole', bodyBytes: 1434, connections: 64, withDirect: true });
export const large = wholeRow({ name: 'large', bodyBytes: 1_048_576, connections: 8, withDirect: false });
