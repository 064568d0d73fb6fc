// What a statement may do is asked by SQLite when it compiles it, never when it runs. Statements that were compiled under
// one answer must not run under another, so each kind has its own `PreparedStatements`.
import { constants, type DatabaseSync } from 'node:sqlite';

/**
 * `reading`: nothing else. `pragma query_only` would say the same, but makes SQLite compile every known statement again.
 * `uncounted`: new lines of the request log are left out of the sums of usage, because the caller adds them up itself.
 */
export type Permit = 'anything' | 'reading' | 'uncounted';

/** The trigger that adds new lines of the request log to the sums. */
const COUNTING_TRIGGER = 'usage_sums_kept';

const READING = new Set([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_FUNCTION,
  constants.SQLITE_RECURSIVE,
]);

export class SqlitePermits {
  #permit: Permit = 'anything';

  constructor(database: DatabaseSync) {
    database.setAuthorizer((action, _subject, _detail, _database, trigger) => this.#answer(action, trigger));
  }

  /** What is compiled during the work has this permit. */
  during<T>(permit: Permit, work: () => T): T {
    const before = this.#permit;
    this.#permit = permit;
    try {
      return work();
    } finally {
      this.#permit = before;
    }
  }

  #answer(action: number, trigger: string | null): number {
    if (this.#permit === 'reading' && !READING.has(action)) return constants.SQLITE_DENY;
    const isCounting = trigger === COUNTING_TRIGGER && action === constants.SQLITE_INSERT;
    return this.#permit === 'uncounted' && isCounting ? constants.SQLITE_IGNORE : constants.SQLITE_OK;
  }
}
