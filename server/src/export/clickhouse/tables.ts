// The tables that Tollgate makes in ClickHouse, and its rows as JSON lines for them. Of rows with the same id the one with the
// highest version stays when ClickHouse merges; FINAL asks for that at once. Words are those that version 18 knows already.
import type { LedgerEntry } from '#contract/ledger.ts';
import type { LogLine } from '../../operator/records/requests.ts';
import type { ExportName } from '../../store/queries/exports.ts';
import type { ExportedLine } from '../sink.ts';

export const TABLES: Record<ExportName, string> = { ledger: 'tollgate_ledger', requests: 'tollgate_requests' };

/** Nine places: whole nano-units. */
const AMOUNT = 'Decimal(38, 9)';
const ENGINE = 'ENGINE = ReplacingMergeTree(version) PARTITION BY toYYYYMM(created_at) ORDER BY id';

export const MAKE_TABLES: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS ${TABLES.ledger} (
    id UInt64, kind String, account_id String, token_id Nullable(String), request_id Nullable(String),
    task_id Nullable(String), amount ${AMOUNT}, balance_after ${AMOUNT}, mode String, usage_source Nullable(String),
    note Nullable(String), author Nullable(String), created_at DateTime('UTC'), version UInt64) ${ENGINE}`,
  `CREATE TABLE IF NOT EXISTS ${TABLES.requests} (
    id String, account_id Nullable(String), token_id Nullable(String), group String, endpoint String,
    model Nullable(String), channel_id Nullable(String), status UInt16, error_code Nullable(String),
    reason Nullable(String), attempts String, first_byte_ms Nullable(UInt64), total_ms UInt64, usage Nullable(String),
    usage_source Nullable(String), charge ${AMOUNT}, arithmetic Nullable(String), mode String,
    created_at DateTime('UTC'), version UInt64) ${ENGINE}`,
];

export function lineOf(name: ExportName, line: ExportedLine): string {
  const version = Number(line.version);
  if (name === 'ledger') {
    const { id, amount, balance_after, ...entry } = line.record as LedgerEntry;
    return withNumbers({ ...entry, version }, { id, amount, balance_after });
  }
  const { charge, ...request } = line.record as LogLine;
  const attempts = JSON.stringify(request.attempts);
  const usage = request.usage === null ? null : JSON.stringify(request.usage);
  return withNumbers({ ...request, attempts, usage, version }, { charge });
}

/** Amounts are numbers of JSON, which ClickHouse reads digit by digit; in quotes only newer versions take them. */
function withNumbers(record: object, numbers: Readonly<Record<string, string>>): string {
  const more = Object.entries(numbers).map(([name, text]) => `"${name}":${text}`);
  return `${JSON.stringify(record).slice(0, -1)},${more.join(',')}}`;
}
