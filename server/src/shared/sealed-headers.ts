// Extra headers of a channel as they are stored: names in the clear, values sealed, with hints that operators may read.
// Here because the operator API writes them and the catalogue reads them, and neither may import the other.
import type { SecretBox } from './secret-box.ts';

interface SealedValue {
  sealed: string;
  hint: string;
}

/** One that an earlier version stored is a text in the clear, until the next start. */
type Stored = Record<string, SealedValue | string>;

type Headers = Record<string, string>;

export function sealHeaders(headers: Readonly<Headers>, box: SecretBox): string {
  return JSON.stringify(mapValues(headers, (value): SealedValue => ({ sealed: box.seal(value), hint: hintOf(value) })));
}

export function openHeaders(text: string, box: Pick<SecretBox, 'open'>): Headers {
  return mapValues(read(text), (value) => (typeof value === 'string' ? value : box.open(value.sealed)));
}

export function headerHints(text: string): Headers {
  return mapValues(read(text), (value) => (typeof value === 'string' ? hintOf(value) : value.hint));
}

/** Headers in which a hint stands for the value that it was made of; undefined with the name of one that stands for none. */
export function changeHeaders(
  stored: string,
  headers: Readonly<Headers>,
  box: SecretBox,
): { text: string } | { unknown: string } {
  const known = new Map(Object.entries(read(stored)).map(([name, value]) => [name.toLowerCase(), value]));
  const next: Stored = {};
  for (const [name, value] of Object.entries(headers)) {
    const before = known.get(name.toLowerCase());
    const hint = typeof before === 'string' ? hintOf(before) : before?.hint;
    if (before !== undefined && value === hint) next[name] = before;
    else if (HINT.test(value)) return { unknown: name };
    else next[name] = { sealed: box.seal(value), hint: hintOf(value) };
  }
  return { text: JSON.stringify(next) };
}

/** The same headers with every value sealed; undefined when all are. */
export function sealOld(text: string, box: SecretBox): string | undefined {
  const stored = read(text);
  if (!Object.values(stored).some((value) => typeof value === 'string')) return undefined;
  return sealHeaders(openHeaders(text, box), box);
}

const HINT = /^(?:.{3})?\.\.\.(?:.{4})?$/;

/** Enough to recognise a long secret; nothing of one so short that its ends would give it away. */
export function hintOf(secret: string): string {
  return secret.length < 20 ? '...' : `${secret.slice(0, 3)}...${secret.slice(-4)}`;
}

function read(text: string): Stored {
  return JSON.parse(text) as Stored;
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
