// Lines of the request log that have left the store, read from ClickHouse. The store is asked first; what fails here is reported
// and leaves the answer as the store gave it.
import { parseAmount } from '../../billing/money.ts';
import {
  BATCH_RANGES,
  compareNewestFirst,
  ID_KINDS,
  rangeBehind,
  rangeOfKind,
} from '../../store/queries/request-order.ts';
import type { IdKind } from '../../store/queries/request-order.ts';
import type { RequestListing } from '../../store/queries/requests.ts';
import type { RequestsTable } from '../../store/tables.ts';
import type { ClickHouseClient } from './client.ts';
import { TABLES } from './tables.ts';

export interface RequestArchiveSettings {
  client: Pick<ClickHouseClient, 'run'>;
  /** How long the store keeps lines at least: younger ones are not looked for here. */
  days: number;
  /** Unix seconds. */
  now(): number;
  onError(error: unknown, what: string): void;
}

/** A row as ClickHouse writes it. */
interface ArchivedLine extends Omit<RequestsTable, 'charge' | 'group_name' | 'account_id' | 'token_id'> {
  group: string;
  charge: string;
  account_id: string | null;
  token_id: string | null;
}

const DAY = 86_400;
/** Seconds that ClickHouse may take, as lists of the store may. */
const LIMITS = { max_execution_time: '3', output_format_json_quote_64bit_integers: '0' };
/** Texts and numbers in the words of the request log. */
const COLUMNS = `id, account_id, token_id, group, endpoint, model, channel_id, status, error_code, reason, attempts,
  first_byte_ms, total_ms, usage, usage_source, toString(charge) AS charge, arithmetic, mode,
  toUInt32(created_at) AS created_at`;

export class RequestArchive {
  readonly #settings: RequestArchiveSettings;

  constructor(settings: RequestArchiveSettings) {
    this.#settings = settings;
  }

  async find(id: string): Promise<RequestsTable | undefined> {
    const [row] = await this.#read([`id = ${quoted(id)}`], 1);
    return row;
  }

  /** Those behind the last line of the store, newest first. */
  async list(listing: RequestListing): Promise<RequestsTable[]> {
    const { now, days } = this.#settings;
    const isYoung = listing.from !== undefined && listing.from >= now() - days * DAY;
    const conditions = conditionsOf(listing);
    if (isYoung || conditions === undefined || listing.limit <= 0) return [];
    return this.#read(
      ID_KINDS.map((kind) => `${conditions} AND ${rangeOf(kind, listing.after)}`),
      listing.limit,
    );
  }

  /** Of each kind of ids by itself, then together in the order of the log. */
  async #read(kinds: readonly string[], limit: number): Promise<RequestsTable[]> {
    const { client, onError } = this.#settings;
    const rows = kinds.map(
      (conditions) =>
        `SELECT ${COLUMNS} FROM ${TABLES.requests} FINAL WHERE ${conditions} ORDER BY id DESC LIMIT ${limit}`,
    );
    try {
      const statement =
        rows.length === 1 ? rows[0] : `SELECT * FROM (${rows.map((row) => `(${row})`).join(' UNION ALL ')})`;
      const text = await client.run(`${statement} FORMAT JSONEachRow`, LIMITS);
      const lines = text.split('\n').filter((line) => line !== '');
      const found = lines.map((line) => rowOf(JSON.parse(line) as ArchivedLine));
      return found.sort(compareNewestFirst).slice(0, limit);
    } catch (error) {
      onError(error, 'old lines of the request log could not be read from ClickHouse');
      return [];
    }
  }
}

function rowOf({ group, charge, account_id, token_id, ...line }: ArchivedLine): RequestsTable {
  return {
    ...line,
    group_name: group,
    charge: parseAmount(charge) ?? 0n,
    account_id: account_id ?? '',
    token_id: token_id ?? '',
  };
}

/** undefined for filters that only the store knows. */
function conditionsOf(listing: RequestListing): string | undefined {
  if (listing.provider !== undefined || listing.lacks !== undefined) return undefined;
  const is = (column: string, value: string | null | undefined): string[] =>
    value === undefined || value === null ? [] : [`${column} = ${quoted(value)}`];
  const compare = (column: string, sign: string, value: number | undefined): string[] =>
    value === undefined ? [] : [`${column} ${sign} ${Math.trunc(value)}`];
  return [
    ...is('id', listing.id),
    ...is('account_id', listing.accountId),
    ...is('token_id', listing.tokenId),
    ...begins('model', listing.model),
    ...is('channel_id', listing.channelId),
    ...is('endpoint', listing.endpoint),
    ...is('group', listing.group),
    ...is('mode', listing.mode),
    ...begins('error_code', listing.errorCode),
    ...is('usage_source', listing.usageSource),
    ...(listing.unpriced === true ? [`arithmetic LIKE '%; unpriced: %'`] : []),
    ...compare('status', '=', listing.status),
    ...compare('status', '>=', listing.least),
    ...compare('status', '<', listing.below),
    ...compare('toUInt32(tollgate_requests.created_at)', '>=', listing.from),
    ...compare('toUInt32(tollgate_requests.created_at)', '<', listing.to),
    '1 = 1',
  ].join(' AND ');
}

function rangeOf(kind: IdKind, after: string | undefined): string {
  const within = [rangeOfKind(kind), rangeBehind(kind, after)].flatMap(({ least, below }) => [
    ...(least === undefined ? [] : [`id >= ${quoted(least)}`]),
    ...(below === undefined ? [] : [`id < ${quoted(below)}`]),
  ]);
  const outside = BATCH_RANGES.map(({ least, below }) => `(id < ${quoted(least)} OR id >= ${quoted(below)})`);
  return [...within, ...(kind === 'req' ? outside : [])].join(' AND ');
}

/** The whole text, or its beginning where a * ends it. */
function begins(column: string, text: string | undefined): string[] {
  if (text === undefined) return [];
  if (!text.endsWith('*')) return [`${column} = ${quoted(text)}`];
  return [`position(assumeNotNull(${column}), ${quoted(text.slice(0, -1))}) = 1`];
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
