// Adds up lines of the request log to rows of the sums of usage, digit for digit as their trigger does
// (migrations/0118-usage-by-outcome.ts), but those of one key together.
import type { RequestRow } from '../ledger/operations.ts';
import { REQUEST_COLUMNS, type SqlValue } from '../ledger/statements.ts';

export interface UsageSums {
  /** In the order of the columns. */
  rows: SqlValue[][];
  /** Ids of lines with anything unusual in them: how the database reads that, only the database knows. */
  unusual: string[];
}

/** Flat, of plain names and whole numbers. */
const PLAIN_USAGE = /^\{(?:"[a-z_]+":(?:0|[1-9]\d{0,8})(?:,(?=")|(?=\})))*\}$/;
/** A thousand such numbers are far from what a number or a column holds exactly. */
const LARGEST_PLAIN = 1e12;

const columnIndex = (name: keyof RequestRow): number => REQUEST_COLUMNS.findIndex(([column]) => column === name);
const ACCOUNT = columnIndex('account_id');
const TOKEN = columnIndex('token_id');
const GROUP = columnIndex('group_name');
const ENDPOINT = columnIndex('endpoint');
const MODEL = columnIndex('model');
const CHANNEL = columnIndex('channel_id');
const STATUS = columnIndex('status');
const ERROR_CODE = columnIndex('error_code');
const FIRST_BYTE_MS = columnIndex('first_byte_ms');
const TOTAL_MS = columnIndex('total_ms');
const USAGE = columnIndex('usage');
const CHARGE = columnIndex('charge');
const MODE = columnIndex('mode');
const CREATED_AT = columnIndex('created_at');

/** Of lines as they are written, their values in the order of the columns. */
export function sumUsage(inserted: readonly SqlValue[][]): UsageSums {
  const sums = new Map<string, { key: SqlValue[]; counts: number[] }>();
  const unusual: string[] = [];
  for (const row of inserted) {
    const counts = countsOf(row);
    if (counts === undefined) {
      unusual.push(String(row[0]));
      continue;
    }
    const key = keyOf(row);
    const name = JSON.stringify(key);
    const sum = sums.get(name);
    if (sum === undefined) sums.set(name, { key, counts });
    else sum.counts = sum.counts.map((count, index) => count + (counts[index] ?? 0));
  }
  // Whole numbers to SQLite too: what it adds to them stays exact.
  const rows = Array.from(sums.values(), ({ key, counts }) => [...key, ...counts.map(BigInt)]);
  return { rows, unusual };
}

function keyOf(row: readonly SqlValue[]): SqlValue[] {
  const createdAt = Number(row[CREATED_AT]);
  return [
    createdAt - (createdAt % 900),
    row[ACCOUNT] ?? null,
    row[TOKEN] ?? null,
    row[GROUP] ?? null,
    row[ERROR_CODE] === 'model_not_found' ? '' : (row[MODEL] ?? ''),
    row[CHANNEL] ?? '',
    row[MODE] ?? null,
    (row[MODEL] ?? null) === null ? '' : (row[ENDPOINT] ?? null),
    row[STATUS] ?? null,
  ];
}

/** What a line adds, in the order of the columns; undefined when it is unusual. */
function countsOf(row: readonly SqlValue[]): number[] | undefined {
  const [status, firstByte, total, usage] = [row[STATUS], row[FIRST_BYTE_MS], row[TOTAL_MS], row[USAGE]];
  const amount = Number(row[CHARGE]);
  if (!isPlain(status) || !isPlain(total) || !isPlain(amount) || !isPlain(row[CREATED_AT])) return undefined;
  if (firstByte !== null && !isPlain(firstByte)) return undefined;
  if (usage !== null && !isPlainUsage(usage)) return undefined;
  return [
    1,
    status >= 400 ? 1 : 0,
    countIn(usage, '"input_tokens":'),
    countIn(usage, '"output_tokens":'),
    countIn(usage, '"seconds":') * 1000,
    countIn(usage, '"images":'),
    amount,
    firstByte ?? 0,
    firstByte === null ? 0 : 1,
    total,
  ];
}

function isPlain(value: SqlValue | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LARGEST_PLAIN;
}

function isPlainUsage(value: SqlValue | undefined): value is string {
  return typeof value === 'string' && PLAIN_USAGE.test(value);
}

/** The first of that name counts, as it does for the database. */
function countIn(usage: string | null, name: string): number {
  const at = usage === null ? -1 : usage.indexOf(name);
  return usage === null || at === -1 ? 0 : Number.parseInt(usage.slice(at + name.length), 10);
}
