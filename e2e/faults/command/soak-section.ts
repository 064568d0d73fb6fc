// The soaks' parts of docs/benchmarks.md: each between two marks, so that a run that writes the rest leaves it alone.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { machineFacts } from './report.ts';

const FILE = fileURLToPath(new URL('../../../docs/benchmarks.md', import.meta.url));

/** What stands above the figures. */
const SOAKS = {
  soak: `## Soak

What \`npm run faults -- --soak 60m --write\` wrote (FT-26): mixed long streams and whole answers, quick calls beside them.`,
  'fleet soak': `## Soak of two nodes with faults

What \`npm run faults -- --soak 2h --fleet --write\` wrote (SOAK-FLEET): two gateways on one PostgreSQL and one Redis, half of the chats
streams, one client in ten asks for videos. All the time 2 % of the calls get an error from the provider, 0.5 % silence and 1 % a cut connection; at random times
Redis is killed for 3 to 30 s, connections to PostgreSQL are cut in mid-statement, all at once, or refused for up to 4 s, and one of the gateways is killed (SIGKILL).
*Quick calls* go to the other one, one after another, and are not in the column *Calls*; those refused while PostgreSQL is away are not in their p50 and p99. A video task that is answered 500 once when asked about goes on.`,
};

export type SoakName = keyof typeof SOAKS;

export function writeSoakSection(figures: readonly string[], seed: number, name: SoakName = 'soak'): void {
  const before = existsSync(FILE) ? readFileSync(FILE, 'utf8') : undefined;
  writeFileSync(FILE, putSoakSection(before, `${machineFacts(seed)}\n\n${figures.join('\n\n')}`, name));
}

export function putSoakSection(page: string | undefined, figures: string, name: SoakName = 'soak'): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const section = `${begin}\n\n${SOAKS[name]}\n\n${figures}\n\n${end}`;
  if (page === undefined) return `# Benchmarks\n\n${section}\n`;
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) return `${page.trimEnd()}\n\n${section}\n`;
  return page.slice(0, from) + section + page.slice(to + end.length);
}
