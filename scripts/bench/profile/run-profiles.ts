// One V8 CPU profile of Tollgate for each row, after a warm-up. For reading in a browser's developer tools; the functions
// with the most time of their own are printed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { judgedRelay } from '../relays/list.ts';
import { Figures } from '../report/figures.ts';
import type { RowContext } from '../rows/row.ts';
import { listRows } from '../run-rounds.ts';
import { recordProfile } from './record-profile.ts';
import { type CpuProfile, topFunctions } from './top-functions.ts';

const folder = fileURLToPath(new URL('../../../.cache/bench-profiles', import.meta.url));
const shown = 30;

export async function runProfiles(context: RowContext, say: (progress: string) => void): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const thrownAway = { ...context, figures: new Figures() };
  for (const row of listRows(context)) {
    const work = row.round ?? row.after;
    if (work === undefined) continue;
    say(`warm-up: ${row.name}`);
    await work(thrownAway);
    say(`profile: ${row.name}`);
    const profile = await recordProfile(context.processes.errorFile(judgedRelay), () => work(thrownAway));
    const file = join(folder, `${row.name}.cpuprofile`);
    writeFileSync(file, profile);
    say('');
    console.log(`${row.name}: ${file}`);
    for (const { name, percent } of topFunctions(JSON.parse(profile) as CpuProfile, shown)) {
      console.log(`  ${percent.toFixed(1).padStart(5)} %  ${name}`);
    }
  }
}
