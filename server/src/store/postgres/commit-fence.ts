// Up to which number all rows of a table are committed, or never will be. A transaction takes its numbers when it inserts and
// may commit long after others with higher ones. It holds a lock of the table from before its first number to its end: so the
// last number that was given is asked first, then who holds such a lock, and the number counts when those are gone. Nobody
// waits for this, unlike for a lock of the table itself.
import type pg from 'pg';
import { wait } from '../../shared/wait.ts';

export interface NumberedTable {
  table: 'ledger' | 'requests';
  /** Has the sequence. */
  column: string;
}

/** Batches of the ledger take a few milliseconds. */
const LOOKS = 25;
const PAUSE_MS = 20;

export class CommitFence {
  readonly #pool: Pick<pg.Pool, 'query'>;
  readonly #numbered: NumberedTable;
  readonly #pauseMs: number;
  #reached = 0n;
  #awaited: { last: bigint; writers: ReadonlySet<string> } | undefined;

  constructor(pool: Pick<pg.Pool, 'query'>, numbered: NumberedTable, { pauseMs = PAUSE_MS } = {}) {
    this.#pool = pool;
    this.#numbered = numbered;
    this.#pauseMs = pauseMs;
  }

  /** While somebody is slow, the number of before. */
  async reached(): Promise<bigint> {
    this.#awaited ??= await this.#begin();
    const { last, writers } = this.#awaited;
    for (let looks = 0; looks < LOOKS; looks++) {
      const left = looks === 0 && writers.size === 0 ? writers : (await this.#writers()).intersection(writers);
      if (left.size === 0) {
        this.#awaited = undefined;
        this.#reached = last;
        break;
      }
      await wait(this.#pauseMs);
    }
    return this.#reached;
  }

  async #begin(): Promise<{ last: bigint; writers: ReadonlySet<string> }> {
    const { table, column } = this.#numbered;
    const { rows } = await this.#pool.query<{ last: bigint | null }>(
      `select pg_sequence_last_value(pg_get_serial_sequence('${table}', '${column}')::regclass) as last`,
    );
    // Only now: who takes a number from here on has a higher one.
    return { last: rows[0]?.last ?? 0n, writers: await this.#writers() };
  }

  async #writers(): Promise<Set<string>> {
    const { rows } = await this.#pool.query<{ writer: string }>(
      `select virtualtransaction as writer from pg_locks
       where locktype = 'relation' and relation = '${this.#numbered.table}'::regclass and mode = 'RowExclusiveLock'
         and granted and database = (select oid from pg_database where datname = current_database())`,
    );
    return new Set(rows.map(({ writer }) => writer));
  }
}
