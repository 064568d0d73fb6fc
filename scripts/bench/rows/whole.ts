// Whole answers in a closed loop: many small chats, at 64 and at 1,000 connections.
// The cost of a request is the relay's processor time over the answers it gave.
import type { Found } from './load-phases.ts';
import { isTelling, measureCost, warm } from './measure-cost.ts';
import type { Row, RowContext, LoadPhase } from './row.ts';

export interface Shape {
  bodyBytes: number;
  connections: number;
  isForm?: boolean;
}

const smallBytes = 1434;
export const smallChat: Shape = { bodyBytes: smallBytes, connections: 64 };

/** Begun and ended with each phase; has figures of its own. */
export interface Beside {
  begin: () => Promise<unknown>;
  end: () => Promise<NonNullable<Found>>;
}

export async function measureWhole(
  context: RowContext,
  phase: LoadPhase,
  shape: Shape,
  beside?: Beside,
): Promise<void> {
  const { name, relay, target } = phase;
  const { load, figures, phases, options } = context;
  const job = { kind: 'loop', target, ...shape, seconds: options.seconds } as const;
  await warm(() => load.run(relay.name, { ...job, seconds: options.warmSeconds }));
  await phases.measure(figures, relay.name, async () => {
    await beside?.begin();
    const { result, cpu } = await measureCost(relay, () => load.run(relay.name, job));
    if (!isTelling(result)) return undefined;
    return {
      [`${name}.rate`]: result.requests / result.seconds,
      [`${name}.cpu`]: cpu / result.requests,
      [`${name}.busy`]: cpu / result.seconds / 10_000,
      ...(await beside?.end()),
    };
  });
}

// Straight to the upstream these tell the most that the load generator can do.
export const whole64: Row = {
  name: 'whole-64',
  hasSteps: true,
  round: async (context) => {
    for (const relay of context.relays) {
      await measureWhole(context, { name: 'whole-64', relay, target: relay.target }, smallChat);
    }
  },
};

export const whole1000: Row = {
  name: 'whole-1000',
  round: async (context) => {
    for (const relay of context.relays) {
      const shape = { bodyBytes: smallBytes, connections: 1000 };
      await measureWhole(context, { name: 'whole-1000', relay, target: relay.target }, shape);
    }
  },
};
