// Resident memory of each relay: idle after its set-up, after all load of the run, when that has been over for a while, and
// with many streams open. Streams come last and on the same process, as they would after a day's work.
import { setTimeout as pause } from 'node:timers/promises';
import { costIsKnown, memoryDetail, residentMegabytes } from '../../processes/cost.ts';
import { type Row, type RowContext, withProcesses } from '../row.ts';
import { possibleConnections } from './possible-connections.ts';
import { watchMemory } from './watch-memory.ts';

const quietMs = 2000;
const restMs = 20_000;
const openMs = 2000;

async function noteMemory({ relays, figures }: RowContext, measure: string, afterMs = quietMs): Promise<void> {
  await pause(afterMs);
  for (const { name, pids } of withProcesses(relays)) figures.add(measure, name, residentMegabytes(pids));
}

/** Where the memory of an idle gateway lies. */
async function noteDetail({ relays, notes }: RowContext): Promise<void> {
  for (const { name, pids, role, metrics } of withProcesses(relays)) {
    if (role !== 'gateway') continue;
    const { rss, pss, anonymous, threads } = memoryDetail(pids);
    const text = (await metrics?.()) ?? '';
    const read = (gauge: string): string => {
      const bytes = new RegExp(`^\\w*${gauge}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1];
      return bytes === undefined ? '?' : (Number(bytes) / 1_048_576).toFixed(0);
    };
    notes.push(
      `${name} idle, MB: RSS ${rss.toFixed(0)}, PSS ${pss.toFixed(0)}, of that anonymous ${anonymous.toFixed(0)}; ` +
        `${threads} threads; main thread's heap ${read('nodejs_heap_size_total_bytes')}, ` +
        `used ${read('nodejs_heap_size_used_bytes')}, external ${read('nodejs_external_memory_bytes')}.`,
    );
  }
}

async function openStreams(context: RowContext): Promise<void> {
  const { relays, load, figures, options, notes, gaps } = context;
  const connections = possibleConnections(context, { count: options.openStreams, filesEach: 2, what: 'open streams' });
  notes.push(`Memory with open streams: ${connections} of them.`);
  // Long enough for all streams to be open together while the memory is watched.
  const everyMs = 500;
  const shape = { everyMs, chunks: Math.ceil((connections * 2 + openMs + 2000) / everyMs) };
  for (const { name, pids, target } of withProcesses(relays)) {
    let most = 0;
    const { failures } = await load.run(name, { kind: 'open', target, shape, connections }, async () => {
      const watch = watchMemory(pids);
      await pause(openMs);
      most = watch.most();
    });
    const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
    if (failed === 0) figures.add('memory.streams', name, most);
    else gaps.push(`${name} has no memory with open streams: ${failed} of ${connections} failed.`);
  }
}

export const memory: Row = {
  name: 'memory',
  quiet: async (context) => {
    if (!costIsKnown) return;
    await noteMemory(context, 'memory.idle');
    await noteDetail(context);
  },
  after: async (context) => {
    if (!costIsKnown) return;
    await noteMemory(context, 'memory.loaded');
    await noteMemory(context, 'memory.rested', restMs);
    await openStreams(context);
  },
};
