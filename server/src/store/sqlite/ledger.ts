// The ledger on SQLite, inside the database's thread. A batch of plain calls is committed as it came, as one row of
// `ledger_inbox`: one page instead of twelve and more for its rows, balances and sums. What it does to those is decided at
// once and flushed to the tables a moment later, together with other batches. Every transaction and read of this file flushes
// the inbox first, also what other processes left in it: nothing is decided on, changed or shown in tables that are behind
// (docs/decisions/2026-11-16-ledger-inbox.md).
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { decideBatch, type Write, writesOf } from '../ledger/apply-batch.ts';
import { emptyState } from '../ledger/ledger-state.ts';
import { emptyWrites } from '../ledger/decide.ts';
import { decodeOperations, encodeOperations } from '../ledger/encode-operations.ts';
import type { LedgerOperation, LedgerResult } from '../ledger/operations.ts';
import { ledgerStatements } from '../ledger/statements.ts';
import { sqliteFault } from './faults.ts';
import type { SqlitePermits } from './permits.ts';
import { SqliteRequestLog } from './request-log.ts';
import { PreparedStatements } from './statements.ts';
import { sqliteLedgerWords } from './sql-fragments.ts';

/** So many open holds and tokens are known at most; then all are read again. */
const MOST_KNOWN = 10_000;
/**
 * What is flushed together at most: operations, because others wait meanwhile, and batches, because calls that come one by
 * one would wait longest.
 */
const MOST_OPERATIONS = 256;
const MOST_BATCHES = 32;

const ADD_NOTE = 'insert into ledger_inbox (operations) values (?)';
const ALL_NOTES = 'select operations from ledger_inbox order by id';
const FIRST_NOTE = 'select id, operations from ledger_inbox order by id limit 1';
const SHORTEN_NOTE = 'update ledger_inbox set operations = ? where id = ?';
const DROP_NOTE = 'delete from ledger_inbox where id = ?';
const DROP_NOTES = 'delete from ledger_inbox';
const ADD_AUDIT = `insert into audit (operator, action, resource, resource_id, detail, created_at)
  values ('tollgate', 'ledger.refuse', 'ledger', ?, ?, unixepoch())`;

const statements = ledgerStatements(sqliteLedgerWords);

export class SqliteLedger {
  readonly #database: DatabaseSync;
  readonly #prepared: PreparedStatements;
  readonly #requestLog: SqliteRequestLog;
  /** These without rows are run by `get`, which makes nothing to tell of them. */
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  /** Changes when another connection has written. */
  readonly #dataVersion: StatementSync;
  #addNote: StatementSync | undefined;
  /** What the batches so far left behind: need not be read, as long as nobody else has written since. */
  #known = emptyState();
  /** What the tables lack of it. */
  #due = emptyWrites();
  /** Batches in the inbox, and their operations. */
  #noted = 0;
  #operations = 0;
  /** The one of which all this is true; undefined when nothing is. */
  #version: unknown;

  constructor(database: DatabaseSync, permits: SqlitePermits) {
    this.#database = database;
    this.#prepared = new PreparedStatements(database);
    this.#requestLog = new SqliteRequestLog(database, permits);
    this.#begin = database.prepare('begin immediate');
    this.#commit = database.prepare('commit');
    this.#dataVersion = database.prepare('pragma data_version');
    this.#dataVersion.setReturnArrays(true);
  }

  /** Durable when it returns. */
  commit(encoded: string, repeated: boolean): LedgerResult[] {
    const operations = decodeOperations(encoded);
    return this.#within((isAlone) => {
      const results = this.#decide(operations, repeated);
      if (isAlone && operations.every(isPlain)) this.#note(encoded, operations.length);
      else this.#bringIn();
      return results;
    });
  }

  /** Begins a transaction for somebody who changes the tables by statements of their own. */
  begin(): void {
    this.catchUp(); // apart from it: those who read beside the transaction shall see this too
    this.#begin.get();
    try {
      this.#comeToKnow();
      this.#bringIn();
    } catch (error) {
      this.#undo();
      throw error;
    }
    this.#forget(); // what comes now is not known here, nor whether it will be committed
  }

  /**
   * Flushes what is due, also of other processes. Where that fails the tables stay behind, and nothing is lost: the next
   * write tries again, and gets the error.
   */
  catchUp(): void {
    if (this.#database.isTransaction) return;
    try {
      // What is refused is set aside when it is read from the inbox: hence once more.
      for (let tries = 0; tries < 2 && this.#isBehind(); tries++) this.#tryToBringIn();
    } catch {}
  }

  #tryToBringIn(): void {
    try {
      this.#within(() => this.#bringIn());
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }

  /** Is it time to catch up? */
  get isFull(): boolean {
    return this.#noted >= MOST_BATCHES || this.#operations >= MOST_OPERATIONS;
  }

  #isBehind(): boolean {
    if (this.#noted > 0) return true;
    return this.#readVersion() !== this.#version && this.#prepared.run(FIRST_NOTE, []).rows.length > 0;
  }

  #readVersion(): unknown {
    return (this.#dataVersion.get() as unknown as [number])[0];
  }

  /** A transaction in which `#known` and `#due` are true. The work hears whether nobody else has written since the last one. */
  #within<T>(work: (isAlone: boolean) => T): T {
    this.#begin.get();
    try {
      const result = work(this.#comeToKnow());
      this.#commit.get();
      return result;
    } catch (error) {
      this.#undo();
      if (!(error instanceof InboxRefused)) throw error;
    }
    this.#bringInApart();
    return this.#within(work);
  }

  #undo(): void {
    this.#forget();
    if (this.#database.isTransaction) this.#database.exec('rollback');
  }

  #forget(): void {
    this.#known = emptyState();
    this.#due = emptyWrites();
    this.#noted = 0;
    this.#operations = 0;
    this.#version = undefined;
  }

  #comeToKnow(): boolean {
    const version = this.#readVersion();
    if (version === this.#version) {
      if (this.#known.holds.size + this.#known.tokens.size > MOST_KNOWN) {
        this.#bringIn();
        this.#known = emptyState();
      }
      return true;
    }
    this.#forget();
    const notes = this.#prepared.run(ALL_NOTES, []).rows;
    try {
      // As if each might have been applied before: what was decided of them once comes out again.
      for (const { operations } of notes) this.#decide(decodeOperations(String(operations)), true);
      this.#noted = notes.length;
      this.#bringIn();
    } catch (error) {
      throw isRefusal(error) ? new InboxRefused('the inbox holds what the tables refuse', { cause: error }) : error;
    }
    this.#version = version;
    return false;
  }

  #decide(operations: readonly LedgerOperation[], repeated: boolean): LedgerResult[] {
    const steps = decideBatch(statements, operations, { repeated }, this.#known, this.#due);
    let step = steps.next();
    while (step.done !== true) {
      step = steps.next(step.value.map(({ sql, ids }) => ids.flatMap((id) => this.#prepared.run(sql, [id]).rows)));
    }
    return step.value.results;
  }

  #note(encoded: string, operations: number): void {
    this.#addNote ??= this.#database.prepare(ADD_NOTE);
    this.#addNote.get(encoded);
    this.#noted++;
    this.#operations += operations;
  }

  #bringIn(): void {
    for (const write of writesOf(statements, this.#due)) this.#write(write);
    if (this.#noted > 0) this.#prepared.run(DROP_NOTES, []);
    this.#due = emptyWrites();
    this.#noted = 0;
    this.#operations = 0;
    // The tables say it now to who asks.
    this.#known.ended.clear();
    this.#known.tasks.clear();
  }

  #write({ sql, rows }: Write): void {
    if (sql === statements.addRequests) this.#requestLog.add(sql, rows);
    else if (sql === statements.chargeRequests) this.#requestLog.charge(sql, rows);
    else this.#prepared.writeRows(sql, rows);
  }

  /** Operation by operation. One that the tables refuse, which no rule foresees, takes no other with it and stays in the audit log. */
  #bringInApart(): void {
    let refusal: Error | undefined;
    for (let isMore = true; isMore;) {
      this.#begin.get();
      try {
        isMore = this.#bringInFirst(refusal);
        this.#commit.get();
        refusal = undefined;
      } catch (error) {
        if (!isRefusal(error) || refusal !== undefined) throw error;
        refusal = error as Error;
      } finally {
        this.#undo();
      }
    }
  }

  #bringInFirst(refusal: Error | undefined): boolean {
    const note = this.#prepared.run(FIRST_NOTE, []).rows[0] as { id: number; operations: string } | undefined;
    if (note === undefined) return false;
    const first = firstOf(note.operations);
    if (refusal !== undefined || first === undefined) {
      const detail = { operations: first === undefined ? note.operations : encodeOperations([first.operation]) };
      const reason = refusal?.message ?? 'not written by this version';
      const name = first === undefined ? '' : nameOf(first.operation);
      this.#prepared.run(ADD_AUDIT, [name, JSON.stringify({ ...detail, reason })]);
    } else {
      this.#decide([first.operation], true);
      for (const { sql, rows } of writesOf(statements, this.#due))
        for (const row of rows) this.#write({ kind: 'write', sql, rows: [row] });
    }
    const rest = first?.rest ?? [];
    if (rest.length === 0) this.#prepared.run(DROP_NOTE, [note.id]);
    else this.#prepared.run(SHORTEN_NOTE, [encodeOperations(rest), note.id]);
    return true;
  }
}

/** Undefined for what is no batch. */
function firstOf(encoded: string): { operation: LedgerOperation; rest: LedgerOperation[] } | undefined {
  try {
    const [operation, ...rest] = decodeOperations(encoded);
    return operation === undefined ? undefined : { operation, rest };
  } catch {
    return undefined;
  }
}

/** What every call does, with amounts that the tables take. Tasks change too much at once to be waited for. */
function isPlain(operation: LedgerOperation): boolean {
  switch (operation.kind) {
    case 'hold':
      return operation.task === undefined && operation.hold.amount >= 0n;
    case 'end':
      return operation.task === undefined && (operation.charge === null || operation.charge >= 0n);
    case 'log':
    case 'checkpoint':
      return true;
    case 'move':
      return false;
  }
}

function nameOf(operation: LedgerOperation): string {
  switch (operation.kind) {
    case 'hold':
      return operation.hold.id;
    case 'end':
    case 'checkpoint':
      return operation.holdId;
    case 'log':
      return operation.request.id;
    case 'move':
      return operation.row.id;
  }
}

class InboxRefused extends Error {
  override name = 'InboxRefused';
}

/** Did the database refuse what it was asked, rather than being away, full or broken? */
export function isRefusal(error: unknown): boolean {
  return sqliteFault((error as { errcode?: number }).errcode) === undefined;
}
