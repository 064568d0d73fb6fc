// The data of the gateway behind one interface: reads, transactions, and the ledger's group commit. Which engine is
// underneath is decided by the address alone (open-store.ts); everything that differs lives in sqlite/ and postgres/.
import type { Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { LedgerOperation, LedgerResult } from './ledger/operations.ts';
import type { Tables } from './tables.ts';

export type Reads = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;

export interface Store {
  readonly dialect: 'sqlite' | 'postgres';
  /** For queries that change nothing. Waits behind writes for a tenth of a second at most. */
  readonly reads: Reads;
  /**
   * For lists and searches, which may be slow: a statement is ended after a second, and `reads` never wait for it. They may
   * come from a replica, and see all that was committed before they were asked for.
   */
  readonly lists: Reads;
  /** Where lists are read from as long as it can be; undefined: from the database itself. */
  readonly replica?: Replica | undefined;
  /** For changes by operators and housekeeping: all of it is committed, or nothing. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** The same, and the embedded database's files hold nothing any more of what it overwrote. */
  rewrite<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Money: many operations share one commit. Resolves when the commit is durable. */
  commit<O extends LedgerOperation>(operation: O): Promise<LedgerResult<O>>;
  /**
   * One step of forgetting the request log of more than so many days ago, and of making room for the days to come where
   * the engine needs that. True when there is more to forget. With `exported`, lines of a higher number stay.
   */
  keepRequests(days: number, exported?: bigint): Promise<boolean>;
  /** The same for the sums of usage. Never for fewer days than the log: what a late charge changes would be gone. */
  keepUsage(days: number): Promise<boolean>;
  /**
   * Makes partitions for the ledger's entries to come, where the engine needs that. With both given, one step of dropping entries
   * of more than so many days ago, up to the id that every sink of the export has; what they add up to stays. True when there
   * is more to drop.
   */
  keepLedger(keeping: { days: number | undefined; exported: bigint | undefined }): Promise<boolean>;
  /** No row with a number up to this one is still to be committed: of a ledger entry its id, of a logged request its `change`. */
  committedUpTo(table: 'ledger' | 'requests'): Promise<bigint>;
  /** Hears of changes by operators as they are committed; undefined where the engine cannot tell. */
  listen(onNotice: () => void): Notices | undefined;
  /** The database's own clock, Unix seconds: nodes that share it agree on this one. */
  now(): Promise<number>;
  /** Rejects when the database cannot be reached. */
  ping(): Promise<void>;
  /** Why the last write failed; undefined as soon as one has succeeded. */
  writeProblem(): string | undefined;
  /** Commits what is queued, then closes. */
  close(): Promise<void>;
}

export interface ReplicaState {
  /** Why lists are read from the primary; undefined when they are not. */
  problem: string | undefined;
  /** How long the oldest change that it lacks has been written. */
  lagSeconds: number;
  /** Statements of lists so far, by where they were put. */
  lists: { replica: number; primary: number };
}

export interface Replica {
  readonly state: ReplicaState;
  /** Hears when it cannot be used any more, and when it can be again (undefined). */
  follow(onChange: (problem: string | undefined) => void): void;
  /** The state after a look at it now. */
  look(): Promise<ReplicaState>;
}

/** A hint, never the only way: a notice may be lost, or be about nothing. */
export interface Notices {
  /** False while the connection is broken. */
  readonly isListening: boolean;
  close(): Promise<void>;
}
