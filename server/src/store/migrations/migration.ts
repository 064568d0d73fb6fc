// What a migration is: a name and statements, written once with the few words that differ between the dialects.
export interface DialectWords {
  /** Text of an id: ordered by its bytes, whatever the database's language. */
  id: string;
  /** Whole nano-units. */
  money: string;
  /** Unix seconds, read back as a number. */
  time: string;
  /** Bytes as they are. */
  bytes: string;
  /** Ends the definition of a table whose rows lie in the order of their key, where the engine can do that. */
  byKey: string;
  /** Primary key that counts up. */
  serial: string;
  /** Statements that make a table refuse updates and deletes. */
  appendOnly(table: string): string[];
  /** A number inside a column of JSON text, 0 where there is none, as a whole number. */
  jsonNumber(column: string, field: string, factor?: number): string;
  /** Unix seconds of the hour in which a time lies. */
  wholeHour(column: string): string;
  /** The same of the quarter of an hour. */
  wholeQuarter(column: string): string;
  /** Statements that add every new row of one table, and those that are there, to the sums in another. */
  keepSums(sums: KeptSums): string[];
  /** Statements that divide a table by time, so that old parts can be dropped; none where rows are deleted. */
  timePartitions(table: DividedTable): string[];
  /** Statements that divide the ledger by id, so that old entries can be dropped; none where they all stay. */
  divideLedger(): string[];
  /** Statements that notify listeners of new rows at once; none where the database cannot notify. */
  tellInserts(table: string): string[];
  /** Statements that make the sums follow when a row of the table is changed later. */
  followSums(sums: KeptSums): string[];
  /** Statements that add columns to the key of sums that are kept and follow, with a value for the rows that are there. */
  widenSums(sums: KeptSums, added: readonly AddedKey[]): string[];
  /** Statements that make a table of ledger batches which are not in the other tables yet; none where they go there at once. */
  inbox(table: string): string[];
  /** Statements that give a row of the table a new number in the column when it is changed; and a new row, where the engine can. */
  numberChanges(numbered: { table: string; column: string }): string[];
}

export interface SumColumn {
  name: string;
  /** Expression over the columns of `entry`, a row of the table that is summed. */
  of: string;
}

/** A new column of the key of sums. */
export interface AddedKey {
  name: string;
  type: string;
  /** SQL of the value that the rows before it have. */
  before: string;
}

export interface KeptSums {
  /** Its key is `id`. */
  from: string;
  into: string;
  /** Primary key of the sums. */
  keys: readonly SumColumn[];
  sums: readonly SumColumn[];
}

/** Adds the rows of a source to the sums, those of the same key together and in its order. */
export function addToSums({ into, keys, sums }: KeptSums, source: string): string {
  const numbers = keys.map((_, index) => index + 1).join(', ');
  return `insert into ${into} (${namesOf([...keys, ...sums])})
    select ${[...keys.map(({ of }) => of), ...sums.map(({ of }) => `sum(${of})`)].join(', ')} from ${source} as entry
    where true group by ${numbers} order by ${numbers} ${addOnConflict({ into, keys, sums })}`;
}

/** Adds the difference that changed rows make: what they are now, less what they were. */
export function addChanges({ into, keys, sums }: KeptSums, { now, before }: { now: string; before: string }): string {
  const numbers = keys.map((_, index) => index + 1).join(', ');
  const rows = (source: string, sign: string) =>
    `select ${[...keys.map(({ name, of }) => `${of} as ${name}`), ...sums.map(({ name, of }) => `${sign}(${of}) as ${name}`)].join(', ')} from ${source} as entry`;
  return `insert into ${into} (${namesOf([...keys, ...sums])})
    select ${namesOf(keys)}, ${sums.map(({ name }) => `sum(${name})`).join(', ')}
    from (${rows(now, '')} union all ${rows(before, '-')}) as difference
    where true group by ${numbers} order by ${numbers} ${addOnConflict({ into, keys, sums })}`;
}

/** Ends the insert of a row whose key may be there. */
export function addOnConflict({ into, keys, sums }: Omit<KeptSums, 'from'>): string {
  return `on conflict (${namesOf(keys)}) do update set
    ${sums.map(({ name }) => `${name} = ${into}.${name} + excluded.${name}`).join(', ')}`;
}

export function namesOf(columns: readonly SumColumn[]): string {
  return columns.map(({ name }) => name).join(', ');
}

/** How a table is divided: each part has the rows of a day or month (UTC). */
export interface Partitioning {
  table: 'requests' | 'usage_sums';
  length: 'day' | 'month';
  /** Begins the primary key. Ids with this prefix begin with their time (shared/ids.ts); without one it is Unix seconds. */
  key: { column: string; idPrefix?: string };
}

/** What dividing it takes beside that. */
export interface DividedTable extends Partitioning {
  /** Its columns. */
  primaryKey: string;
  /** Columns of its one index beside the key. */
  index?: { name: string; columns: string };
  /** The table of sums that its new lines are added to. */
  sums?: string;
}

export interface Migration {
  /** Never changed after release; the list is applied in order. */
  name: string;
  statements(words: DialectWords): string[];
}
