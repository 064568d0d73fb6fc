// Pages of lists: one row more than asked for is read, and tells whether there is a next page.
import { invalidRequest } from '../errors/gateway-error.ts';

export interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
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
    next_cursor: rows.length > limit && last !== undefined ? Buffer.from(key(last)).toString('base64url') : null,
  };
}

/** The key of the last row of the page before. */
export function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const key = Buffer.from(cursor, 'base64url').toString('utf8');
  const genuine = Buffer.from(key).toString('base64url') === cursor && !/\p{Cc}/u.test(key);
  if (!genuine) throw badCursor();
  return key;
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
