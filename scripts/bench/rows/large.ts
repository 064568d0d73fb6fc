// Large bodies in a closed loop: chats of 1 MB, and forms with a file of 30 MB. A relay that cannot take a form is named
// so by its first one and left out.
import type { RunningRelay } from '../relays/relay.ts';
import { readLongestDelay } from './event-loop.ts';
import { type Row, type RowContext, withProcesses } from './row.ts';
import { measureWhole } from './whole.ts';

const megabyte = 1_048_576;

export const large: Row = {
  name: 'large',
  round: async (context) => {
    for (const relay of withProcesses(context.relays)) {
      const phase = { name: 'large', relay, target: relay.target };
      await measureWhole(
        context,
        phase,
        { bodyBytes: megabyte, connections: 8 },
        {
          begin: () => readLongestDelay(relay), // to read it begins a new count
          end: async () => ({ 'large.delay': await readLongestDelay(relay) }),
        },
      );
    }
  },
};

const unable = new WeakSet<RunningRelay['target']>();

export async function tryUpload({ relays, load, notes }: RowContext): Promise<void> {
  for (const { name, role, target } of relays) {
    if (unable.has(target)) continue;
    const job = { kind: 'timed', target, bodyBytes: megabyte, isForm: true, count: 0, seconds: 0.01 } as const;
    const { requests, failures } = await load.run(role === 'guest' ? undefined : name, job);
    if (requests > 0) continue;
    unable.add(target);
    notes.push(`${name} does not take the forms of the upload rows: ${Object.keys(failures).join(', ')}.`);
  }
}

export const upload: Row = {
  name: 'upload',
  before: tryUpload,
  round: async (context) => {
    for (const relay of withProcesses(context.relays)) {
      if (unable.has(relay.target)) continue;
      const phase = { name: 'upload', relay, target: relay.target };
      await measureWhole(context, phase, { bodyBytes: 30 * megabyte, connections: 4, isForm: true });
    }
  },
};

/** Whether a relay takes forms, as far as anybody has tried. */
export function takesForms(relay: RunningRelay): boolean {
  return !unable.has(relay.target);
}
