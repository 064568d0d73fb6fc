// Adds up lines of the request log to rows of the sums of usage, digit for digit as their trigger does
// (migrations/0020-usage-sums.ts), but those of one key together.
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

const place = (name: keyof RequestRow): number => REQUEST_COLUMNS.findIndex(([column]) => column === name);
const ACCOUNT = place('account_id');
const TOKEN = place('token_id');
const GROUP = place('group_name');
const MODEL = place('model');
const CHANNEL = place('channel_id');
const STATUS = place('status');
const ERROR_CODE = place('error_code');
const FIRST_BYTE_MS = place('first_byte_ms');
const TOTAL_MS = place('total_ms');
const USAGE = place('usage');
const CHARGE = place('charge');
const MODE = place('mode');
const CREATED_AT = place('created_at');

/** Of lines as they are written, their values in the order of the columns. */
export function sumUsage(lines: readonly SqlValue[][]): UsageSums {
  const sums = new Map<string, { key: SqlValue[]; counts: number[] }>();
  const unusual: string[] = [];
  for (const line of lines) {
    const counts = countsOf(line);
    if (counts === undefined) {
      unusual.push(String(line[0]));
      continue;
    }
    const key = keyOf(line);
    const name = JSON.stringify(key);
    const sum = sums.get(name);
    if (sum === undefined) sums.set(name, { key, counts });
    else sum.counts = sum.counts.map((count, index) => count + (counts[index] ?? 0));
  }
  // Whole numbers to SQLite too: what it adds to them stays exact.
  const rows = Array.from(sums.values(), ({ key, counts }) => [...key, ...counts.map(BigInt)]);
  return { rows, unusual };
}

function keyOf(line: readonly SqlValue[]): SqlValue[] {
  const createdAt = Number(line[CREATED_AT]);
  return [
    createdAt - (createdAt % 3600),
    line[ACCOUNT] ?? null,
    line[TOKEN] ?? null,
    line[GROUP] ?? null,
    line[ERROR_CODE] === 'model_not_found' ? '' : (line[MODEL] ?? ''),
    line[CHANNEL] ?? '',
    line[MODE] ?? null,
  ];
}

/** What a line adds, in the order of the columns; undefined when it is unusual. */
function countsOf(line: readonly SqlValue[]): number[] | undefined {
  const [status, firstByte, total, usage] = [line[STATUS], line[FIRST_BYTE_MS], line[TOTAL_MS], line[USAGE]];
  const amount = Number(line[CHARGE]);
  if (!isPlain(status) || !isPlain(total) || !isPlain(amount) || !isPlain(line[CREATED_AT])) return undefined;
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
