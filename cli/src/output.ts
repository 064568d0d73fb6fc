// What commands print: tables and lists of facts for people, JSON for scripts.
export type Fact = readonly [name: string, value: unknown];

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function printTable(rows: readonly Record<string, unknown>[], columns: readonly string[]): void {
  const cells = rows.map((row) => columns.map((name) => textOf(row[name])));
  const widths = columns.map((name, at) => Math.max(name.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  for (const row of [columns.map((name) => name.toUpperCase()), ...cells]) process.stdout.write(`${line(row)}\n`);
}

export function printFacts(facts: readonly Fact[]): void {
  const width = Math.max(...facts.map(([name]) => name.length));
  for (const [name, value] of facts) process.stdout.write(`${name.padEnd(width)}  ${textOf(value)}\n`);
}

/** Control characters could move the cursor of a terminal. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll(/\p{Cc}/gu, ' ');
}

export function timeText(seconds: unknown): string {
  return typeof seconds === 'number' ? `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z` : '-';
}

const TIME = /(?:_at|_start|^created)$/;

/** Of an answer for people: JSON keeps the seconds. */
export function withTimes(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      TIME.test(name) && typeof value === 'number' ? timeText(value) : value,
    ]),
  );
}
