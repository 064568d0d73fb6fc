// Resident memory while many large forms come in at once: 20 uploads of 30 MB, each through the relay to the upstream.
// What counts is how much a relay grows, since a body that is kept in memory shows here at once.
import { costIsKnown, residentMegabytes } from '../../processes/cost.ts';
import { takesForms, tryUpload } from '../large.ts';
import { type Row, type RowContext, withProcesses } from '../row.ts';
import { watchMemory } from './watch-memory.ts';

const uploads = 20;
const bytes = 30 * 1_048_576;

async function measure({ relays, load, figures, notes }: RowContext): Promise<void> {
  if (!costIsKnown) return;
  for (const relay of withProcesses(relays)) {
    const { name, pids, target } = relay;
    if (!takesForms(relay)) continue;
    const before = residentMegabytes(pids);
    const watch = watchMemory(pids);
    // So short that each connection sends one.
    const job = { kind: 'loop', target, bodyBytes: bytes, isForm: true, connections: uploads, seconds: 0.001 } as const;
    const { requests } = await load.run(name, job);
    const most = watch.most();
    if (requests < uploads) notes.push(`${name}: ${uploads - requests} of ${uploads} uploads at once failed.`);
    figures.add('uploads.growth', name, most - before);
  }
}

export const uploadMemory: Row = { name: 'uploads', before: tryUpload, after: measure };
