// Many idle connections: how many a relay keeps, what they cost in memory, and how one active client fares beside them.
import { costIsKnown, residentMegabytes } from '../../processes/cost.ts';
import { quantile } from '../../report/figures.ts';
import type { Row, RowContext } from '../row.ts';
import { possibleConnections } from './possible-connections.ts';
import { smallChat } from '../whole.ts';

/** A p99 of few is chance: one collection more or less. */
const activeSeconds = 12;
const activeCount = 8;

async function measure(context: RowContext): Promise<void> {
  const { relays, load, figures, options, notes } = context;
  const wish = { count: options.idleConnections, filesEach: 1, what: 'idle connections' };
  const connections = possibleConnections(context, wish);
  notes.push(`Idle connections: ${connections} of them, each after one small chat.`);
  const active = {
    bodyBytes: smallChat.bodyBytes,
    count: options.timedRequests * activeCount,
    seconds: activeSeconds,
  } as const;
  for (const { name, role, pid, target } of relays) {
    // Peers are too slow to be asked by so many in the time of a row.
    if (role === 'none' || role === 'guest') continue;
    const alone = await load.run(name, { kind: 'timed', target, ...active });
    const before = pid === undefined || !costIsKnown ? Number.NaN : residentMegabytes(pid);
    const result = await load.run(name, { kind: 'idle', target, connections, ...active }, async () => {
      if (pid !== undefined && costIsKnown) figures.add('idle.growth', name, residentMegabytes(pid) - before);
    });
    figures.add('idle.lost', name, connections - result.kept);
    const [p99Alone, p99Beside] = [quantile(alone.times, 0.99), quantile(result.times, 0.99)];
    figures.add('idle.alone', name, p99Alone);
    figures.add('idle.beside', name, p99Beside);
    figures.add('idle.slower', name, p99Beside / p99Alone);
  }
}

export const idle: Row = { name: 'idle', after: measure };
