// Writes the lines that a batch adds to the request log on SQLite. Several are counted in the sums of usage together, once
// for each key, where the trigger that counts all others needs an upsert and a reading of JSON for each. Every line gets a
// number, by which an export finds it (migration 0128).
import type { DatabaseSync } from 'node:sqlite';
import type { SqlValue } from '../ledger/statements.ts';
import { usageSumsByOutcome } from '../migrations/0118-usage-by-outcome.ts';
import { addOnConflict, addToSums, namesOf } from '../migrations/migration.ts';
import type { SqlitePermits } from './permits.ts';
import { PreparedStatements } from './statements.ts';
import { sumUsage } from './usage-sums.ts';
import { sqliteWords } from './sql-fragments.ts';

const SUMS = usageSumsByOutcome(sqliteWords);
const COLUMNS = [...SUMS.keys, ...SUMS.sums];
const ADD_SUMS = `insert into ${SUMS.into} (${namesOf(COLUMNS)})
  values (${COLUMNS.map(() => '?').join(', ')}) ${addOnConflict(SUMS)}`;
const LAST_NUMBER = 'select coalesce(max(change), 0) as number from requests where change > 0';
const COUNT_LINE = addToSums(SUMS, `(select * from ${SUMS.from} where id = ?)`);

export class SqliteRequestLog {
  readonly #permits: SqlitePermits;
  readonly #counted: PreparedStatements;
  readonly #uncounted: PreparedStatements;

  constructor(database: DatabaseSync, permits: SqlitePermits) {
    this.#permits = permits;
    this.#counted = new PreparedStatements(database);
    this.#uncounted = new PreparedStatements(database);
  }

  /** Inserts lines by a statement that skips those which are there. If some of several are, the operations must go apart. */
  add(insert: string, lines: readonly SqlValue[][]): void {
    const inserted = this.#number(lines);
    if (inserted.length === 1) {
      this.#counted.writeRows(insert, inserted);
      return;
    }
    const written = this.#permits.during('uncounted', () => this.#uncounted.writeRows(insert, inserted));
    if (written === inserted.length) this.#count(inserted);
    else if (written > 0) throw new Error('some lines of the batch are in the request log already');
  }

  /** Inserts lines, or writes into those which are there what they were charged. */
  charge(upsert: string, lines: readonly SqlValue[][]): void {
    this.#counted.writeRows(upsert, this.#number(lines));
  }

  /** Nobody else writes meanwhile: it is called inside a transaction. */
  #number(lines: readonly SqlValue[][]): SqlValue[][] {
    const last = Number(this.#counted.run(LAST_NUMBER, []).rows[0]?.['number'] ?? 0);
    return lines.map((line, index) => [...line, last + index + 1]);
  }

  #count(inserted: readonly SqlValue[][]): void {
    const { rows, unusual } = sumUsage(inserted);
    this.#counted.writeRows(ADD_SUMS, rows);
    for (const id of unusual) this.#counted.run(COUNT_LINE, [id]);
  }
}
