// Resident memory of each relay: idle after its set-up, after all load of the run, and with many streams open.
// Streams come last and on the same process, as they would after a day's work.
import { setTimeout as pause } from 'node:timers/promises';
import { costIsKnown, openFileLimit, residentMegabytes } from '../processes/cost.ts';
import type { RunningRelay } from '../relays/relay.ts';
import type { Row, RowContext } from './row.ts';

const quietMs = 2000;
const sampleMs = 200;
const samples = 10;
const filesBeside = 200;

function measured(relays: readonly RunningRelay[]): { relay: RunningRelay; pid: number }[] {
  return relays.flatMap((relay) => (relay.pid === undefined || !costIsKnown ? [] : [{ relay, pid: relay.pid }]));
}

async function noteMemory({ relays, figures }: RowContext, measure: string): Promise<void> {
  await pause(quietMs);
  for (const { relay, pid } of measured(relays)) figures.add(measure, relay.name, residentMegabytes(pid));
}

/** A relay holds two sockets per stream, and every process inherits the limit of this one. */
function possibleStreams({ options, notes }: RowContext): number {
  const possible = Math.floor((openFileLimit() - filesBeside) / 2);
  if (possible >= options.openStreams) return options.openStreams;
  notes.push(
    `Only ${possible} open streams instead of ${options.openStreams}: raise the limit of open files (ulimit -n).`,
  );
  return possible;
}

async function openStreams(context: RowContext): Promise<void> {
  const { relays, load, figures, notes } = context;
  const connections = possibleStreams(context);
  notes.push(`Memory with open streams: ${connections} of them.`);
  // Long enough for all streams to be open together while the samples are taken.
  const everyMs = 500;
  const shape = { everyMs, chunks: Math.ceil((connections * 2 + samples * sampleMs + 2000) / everyMs) };
  for (const { relay, pid } of measured(relays)) {
    let most = Number.NaN;
    await load.run(relay.name, { kind: 'open', target: relay.target, shape, connections }, async () => {
      for (let taken = 0; taken < samples; taken += 1) {
        const now = residentMegabytes(pid);
        most = Number.isNaN(most) ? now : Math.max(most, now);
        await pause(sampleMs);
      }
    });
    figures.add('memory.streams', relay.name, most);
  }
}

export const memory: Row = {
  name: 'memory',
  before: (context) => noteMemory(context, 'memory.idle'),
  after: async (context) => {
    await noteMemory(context, 'memory.loaded');
    await openStreams(context);
  },
};
