// A secret that a file names: `env:NAME` or `file:path`.
import { readFileSync } from 'node:fs';
import { Refused } from '../refused.ts';

/** What may also stand in the file itself. */
export function readReference(text: string): string {
  return /^(?:env|file):/.test(text) ? readSecret(text) : text;
}

export function readSecret(reference: string): string {
  const [kind, name] = [reference.slice(0, reference.indexOf(':')), reference.slice(reference.indexOf(':') + 1)];
  if (kind === 'env') {
    const value = process.env[name]?.trim();
    if (!value) throw new Refused(`${reference}: the variable ${name} is not set.`);
    return value;
  }
  try {
    return readFileSync(name, 'utf8').trim();
  } catch (error) {
    throw new Refused(`${reference}: ${(error as Error).message}`);
  }
}
