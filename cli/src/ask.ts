// Asks before something is changed. Where nobody can be asked, nothing is.
import { createInterface } from 'node:readline/promises';
import { Refused } from './refused.ts';

export async function ask(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new Refused('nothing was changed: add --yes where nobody can be asked.');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await reader.question(`${question} [y/N] `);
  reader.close();
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new Refused('nothing was changed.');
}
