// Records as rows that a form can edit, and back.
export interface NamePair {
  key: string;
  value: string;
}

export function pairsOf(record: Record<string, string>): NamePair[] {
  return Object.entries(record).map(([key, value]) => ({ key, value }));
}

/** Rows without a name are dropped; a name without its value gets what `otherwise` makes of it. */
export function recordOf(pairs: NamePair[], otherwise: (key: string) => string): Record<string, string> {
  const written = pairs
    .map(({ key, value }): [string, string] => [key.trim(), value.trim()])
    .filter(([key]) => key !== '');
  return Object.fromEntries(written.map(([key, value]) => [key, value === '' ? otherwise(key) : value]));
}
