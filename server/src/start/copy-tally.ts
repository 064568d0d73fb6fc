// Counts rows as they are copied, and adds up the books of accounts, ledger and holds among them.
import type { Row, TableOfSnapshot } from '../store/copy/snapshot.ts';

export class Tally {
  rows = 0;
  readonly #counts = new Map<string, number>();
  readonly #sums = { granted: 0n, balance: 0n, held: 0n, spent: 0n };

  add({ name, columns }: TableOfSnapshot, rows: readonly Row[]): void {
    this.rows += rows.length;
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + rows.length);
    const at = (column: string): number => columns.indexOf(column);
    if (name === 'accounts') for (const row of rows) this.#sums.balance += wholeOf(row[at('balance')]);
    if (name !== 'ledger' && name !== 'holds') return;
    const [mode, kind, amount] = [at('mode'), at('kind'), at('amount')];
    for (const row of rows) {
      if (row[mode] !== 'live') continue;
      const value = wholeOf(row[amount]);
      if (name === 'holds') this.#sums.held += value;
      else if (row[kind] === 'credit') this.#sums.granted += value;
      else if (row[kind] === 'settle') this.#sums.spent += value;
    }
  }

  async *watch(table: TableOfSnapshot, rows: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
    for await (const some of rows) {
      this.add(table, some);
      yield some;
    }
  }

  /** As reconcile reads them. */
  get books(): Record<string, string> {
    const count = (table: string): string => String(this.#counts.get(table) ?? 0);
    const counts = {
      accounts: count('accounts'),
      tokens: count('tokens'),
      entries: count('ledger'),
      holds: count('holds'),
    };
    const sums = Object.entries(this.#sums).map(([name, value]) => [name, String(value)]);
    return { ...counts, ...Object.fromEntries(sums) };
  }
}

function wholeOf(value: Row[number] | undefined): bigint {
  return typeof value === 'bigint' ? value : BigInt(typeof value === 'number' ? value : 0);
}
