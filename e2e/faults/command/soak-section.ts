// The soak's part of docs/benchmarks.md: between two marks, so that a run that writes the rest leaves it alone.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { machineFacts } from './report.ts';

const [BEGIN, END] = ['<!-- soak -->', '<!-- /soak -->'];
const FILE = fileURLToPath(new URL('../../../docs/benchmarks.md', import.meta.url));

export function writeSoakSection(figures: readonly string[], seed: number): void {
  const before = existsSync(FILE) ? readFileSync(FILE, 'utf8') : undefined;
  writeFileSync(FILE, putSoakSection(before, `${machineFacts(seed)}\n\n${figures.join('\n\n')}`));
}

export function putSoakSection(page: string | undefined, figures: string): string {
  const section = `${BEGIN}\n\n## Soak\n\nWhat \`npm run faults -- --soak 60m --write\` wrote (FT-26): mixed long streams and whole answers, quick calls beside them.\n\n${figures}\n\n${END}`;
  if (page === undefined) return `# Benchmarks\n\n${section}\n`;
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) return `${page.trimEnd()}\n\n${section}\n`;
  return page.slice(0, from) + section + page.slice(to + END.length);
}
