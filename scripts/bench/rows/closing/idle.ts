// Many idle connections: how many a relay keeps, what they cost in memory, and how one active client fares beside them.
import { costIsKnown, residentMegabytes } from '../../processes/cost.ts';
import { quantile } from '../../report/figures.ts';
import { warm } from '../measure-cost.ts';
import type { Row, RowContext } from '../row.ts';
import { possibleConnections } from './possible-connections.ts';
import { smallChat } from '../whole.ts';

/** A p99 of few is chance: one collection more or less. */
const activeSeconds = 12;
const activeCount = 8;

async function measure(context: RowContext): Promise<void> {
  const { relays, load, figures, phases, options, notes } = context;
  const asked = { count: options.idleConnections, filesEach: 1, what: 'idle connections' };
  const connections = possibleConnections(context, asked);
  notes.push(`Idle connections: ${connections} of them, each after one small chat.`);
  const active = {
    bodyBytes: smallChat.bodyBytes,
    count: options.timedRequests * activeCount,
    seconds: activeSeconds,
  } as const;
  for (const { name, role, pids, target } of relays) {
    // Peers are too slow to be asked by so many in the time of a row.
    if (role === 'none' || role === 'guest') continue;
    const resident = (): number => (pids.length === 0 || !costIsKnown ? Number.NaN : residentMegabytes(pids));
    await warm(() => load.run(name, { kind: 'timed', target, ...active, seconds: options.warmSeconds }));
    await phases.measure(figures, name, async () => {
      const { times } = await load.run(name, { kind: 'timed', target, ...active });
      return { 'idle.alone': quantile(times, 0.99) };
    });
    const before = resident();
    await phases.measure(figures, name, async () => {
      let beside = Number.NaN;
      const { times, kept } = await load.run(name, { kind: 'idle', target, connections, ...active }, async () => {
        beside = resident();
      });
      return {
        'idle.beside': quantile(times, 0.99),
        'idle.growth': beside - before,
        'idle.lost': connections - kept,
      };
    });
  }
}

export const idle: Row = { name: 'idle', after: measure };
