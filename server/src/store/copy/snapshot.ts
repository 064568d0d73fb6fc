// All rows of a store at one moment, table by table, for backup and move. The gateway may go on meanwhile.
export type Value = null | string | number | bigint | Uint8Array;
export type Row = Value[];

export interface TableOfSnapshot {
  name: string;
  columns: string[];
  rows: number;
}

export interface Snapshot {
  /** Names of the changes that made the tables, in their order. */
  migrations: string[];
  tables: TableOfSnapshot[];
  /** Rows in the order of their key, some thousand at a time. */
  read(table: TableOfSnapshot): AsyncIterable<Row[]>;
  close(): Promise<void>;
}

/** The list of changes is kept apart, the inbox is empty in a snapshot, and no process lives in a copy. */
export const NOT_COPIED: ReadonlySet<string> = new Set(['migrations', 'ledger_inbox', 'processes']);

export const ROWS_AT_ONCE = 2_000;

/** Tables whose rows others refer to come first. */
const FIRST = ['accounts', 'tokens', 'channels', 'operators'];

export function inOrderOfReferences<T extends { name: string }>(tables: readonly T[]): T[] {
  const rank = ({ name }: T): number => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return tables.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}
