// Pages of lists: one row more than asked for is read, and tells whether there is a next page; and the names of what rows
// name by id.
import { invalidRequest } from '../errors/gateway-error.ts';
import { type NamedIds, namesOf } from '../store/queries/names.ts';
import type { SortedPaging, Sorting } from '../store/queries/sorting.ts';
import type { Reads } from '../store/store.ts';

export interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
  names?: Record<string, string>;
}

/** Longer pages are parts of files, which have the ids alone. */
const NAMED_ROWS = 200;

/** Adds the names of what the rows only name by id. */
export async function withNames<Item>(
  reads: Reads,
  page: Page<Item>,
  idsOf: (rows: Item[]) => NamedIds,
): Promise<Page<Item>> {
  if (page.data.length === 0 || page.data.length > NAMED_ROWS) return page;
  return { ...page, names: await namesOf(reads, idsOf(page.data)) };
}

/** Of rows that name accounts, tokens and channels by their ids. */
export function idsOfRows(
  rows: readonly { account_id: string | null; token_id: string | null; channel_id?: string | null }[],
): NamedIds {
  return {
    accounts: rows.map((row) => row.account_id),
    tokens: rows.map((row) => row.token_id),
    channels: rows.map((row) => row.channel_id ?? null),
  };
}

interface Asked {
  limit: number;
  cursor?: string | undefined;
  /** A column, with a minus sign downwards; in the order of the ids where there is none. */
  sort?: string | undefined;
}

/** A page of rows that are known by their ids. */
export async function readPage<Row extends { id: string }, Item>(
  { limit, cursor, sort }: Asked,
  list: (paging: SortedPaging) => Promise<Row[]>,
  write: (row: Row) => Item,
): Promise<Page<Item>> {
  const sorting = readSorting(sort, cursor);
  const start = sorting === undefined ? { after: readCursor(cursor) } : { sorting };
  const rows = await list({ ...start, limit: limit + 1 });
  return writePage(rows, limit, { key: (row) => (sorting === undefined ? row.id : sortingKey(sorting, row)), write });
}

/** `rows` were read with `limit + 1`. */
export function writePage<Row, Item>(
  rows: Row[],
  limit: number,
  { key, write }: { key: (row: Row) => string; write: (row: Row) => Item },
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map(write),
    next_cursor: rows.length > limit && last !== undefined ? writeCursor(key(last)) : null,
  };
}

export function writeCursor(key: string): string {
  return Buffer.from(key).toString('base64url');
}

/** The key of the last row of the page before. */
export function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const key = Buffer.from(cursor, 'base64url').toString('utf8');
  const genuine = Buffer.from(key).toString('base64url') === cursor && !/\p{Cc}/u.test(key);
  if (!genuine) throw badCursor();
  return key;
}

/** Of a list in the order of a column: its name, with a minus sign downwards. */
function readSorting(sort: string | undefined, cursor: string | undefined): Sorting | undefined {
  if (sort === undefined) return undefined;
  const descending = sort.startsWith('-');
  const key = readCursor(cursor);
  const at = key?.lastIndexOf(' ') ?? -1;
  if (key !== undefined && at < 0) throw badCursor();
  const after = key === undefined ? undefined : { value: key.slice(0, at), id: key.slice(at + 1) };
  const column = descending ? sort.slice(1) : sort;
  if (after !== undefined && column !== 'name') readWhole(after.value);
  return { column, descending, after };
}

/** A number that a column of the database can hold: amounts have up to 19 digits. */
export function readWhole(text: string): bigint {
  const number = /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
  if (number === undefined || BigInt.asIntN(64, number) !== number) throw badCursor();
  return number;
}

/** What `readSorting` goes on after: the value of the column, then the id, which has no spaces. */
function sortingKey({ column }: Sorting, row: { id: string }): string {
  return `${String((row as Record<string, unknown>)[column])} ${row.id}`;
}

/** The same for rows that are counted. */
export function readNumberCursor(cursor: string | undefined): bigint | undefined {
  const key = readCursor(cursor);
  if (key === undefined) return undefined;
  if (!/^\d{1,18}$/.test(key)) throw badCursor();
  return BigInt(key);
}

function badCursor() {
  return invalidRequest('"cursor" must be the next_cursor of the page before.', 'cursor');
}
