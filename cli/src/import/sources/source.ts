// A database of another program, whatever it is kept in: tables by name, rows as plain objects.
export type Row = Record<string, unknown>;

export interface Source {
  /** Empty where there is no such table. */
  columns(table: string): Promise<readonly string[]>;
  rows(table: string): Promise<Row[]>;
  /** How many rows there are; 0 where there is no such table. */
  count(table: string): Promise<number>;
  /** The sum of a column of whole numbers. */
  sum(table: string, column: string): Promise<bigint>;
  close(): Promise<void>;
}

export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : '';
}

/** A time may be text or a date. */
export function isSet(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}

/** A whole number; bigints of PostgreSQL come as text. */
export function whole(value: unknown): bigint {
  const written = text(value).trim();
  return /^[+-]?\d+$/.test(written) ? BigInt(written) : 0n;
}

export function truth(value: unknown): boolean {
  return value === true || ['1', 'true', 't'].includes(text(value).toLowerCase());
}

/** An object in a text or JSON column; undefined where it is none. */
export function object(value: unknown): Row | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Row;
  try {
    const read: unknown = JSON.parse(text(value));
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Row) : undefined;
  } catch {
    return undefined;
  }
}

export function list(value: unknown, separator: RegExp = /[,\n]/): string[] {
  if (Array.isArray(value)) return value.map(text).filter((item) => item !== '');
  return text(value)
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
