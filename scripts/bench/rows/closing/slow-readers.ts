// Many clients that read a long stream slowly, while the upstream sends as fast as it can: what a relay keeps for them is
// what it grows by. The stream is longer than all buffers of the system on the way.
import { setTimeout as pause } from 'node:timers/promises';
import { costIsKnown, residentMegabytes } from '../../processes/cost.ts';
import { type Row, type RowContext, withProcesses } from '../row.ts';
import { possibleConnections } from './possible-connections.ts';
import { watchMemory } from './watch-memory.ts';

const chunkBytes = 16_384;
const streamBytes = 20 * 1_048_576;
const seconds = 8;
const settleMs = 1000;
/** So many of them B-03 speaks of. */
const promisedReaders = 200;

async function measure(context: RowContext): Promise<void> {
  const { relays, load, figures, options, notes } = context;
  if (!costIsKnown) return;
  const asked = { count: options.slowReaders, filesEach: 2, what: 'slow readers' };
  const connections = possibleConnections(context, asked);
  notes.push(`Slow readers: ${connections} of a stream of ${streamBytes / 1_048_576} MB each, one read every 4 s.`);
  const shape = { chunks: Math.ceil(streamBytes / chunkBytes), everyMs: 0, chunkBytes };
  for (const { name, role, pids, target } of withProcesses(relays)) {
    if (role === 'guest') continue; // one that keeps it all would take the memory of the machine
    const before = residentMegabytes(pids);
    // Both beside what it was before any of them came.
    for (const [figure, readers] of [
      ['few', Math.min(promisedReaders, connections)],
      ['growth', connections],
    ] as const) {
      const watch = watchMemory(pids);
      const { kept } = await load.run(name, { kind: 'slow', target, shape, connections: readers, seconds });
      figures.add(`slow-readers.${figure}`, name, watch.most() - before);
      if (figure === 'growth') figures.add('slow-readers.lost', name, readers - kept);
      await pause(settleMs);
    }
  }
}

export const slowReaders: Row = { name: 'slow-readers', after: measure };
