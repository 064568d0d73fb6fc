// The ledger in partitions by id, on PostgreSQL. Ids count up, so that a partition is a span of time and a list in the order of
// the ids ends with the newest one; the key stays the id. `ledger_rest` takes entries that have no partition, so that no insert
// ever fails. That a hold has one entry of a kind is unique in each partition; over all, the row of the hold sees to it.
import type pg from 'pg';

export interface LedgerPartition {
  name: string;
  /** Ids from here, up to the next one. */
  start: bigint;
  end: bigint;
}

/** A partition has at least so many ids: 0.4 GB. */
export const LEAST_IDS = 1_000_000n;
/** Entries that stand for those that were dropped. */
export const CARRIED = 'ledger_carried';

const INDEXES = ['by_account', 'credits', 'tests'] as const;

/** The table as it is becomes the first partition, with more ids than its last one. */
export function divideLedger(): string[] {
  return [
    'create sequence ledger_ids',
    `select setval('ledger_ids', last) from (
      select greatest(pg_sequence_last_value(pg_get_serial_sequence('ledger', 'id')::regclass), max(id)) as last
      from ledger) as counted where last > 0`,
    'alter table ledger alter column id drop identity',
    'alter table ledger rename to ledger_first',
    'alter index ledger_pkey rename to ledger_first_pkey',
    'alter index ledger_hold_id_kind_key rename to ledger_first_hold_id_kind_key',
    ...INDEXES.map((name) => `alter index ledger_${name} rename to ledger_first_${name}`),
    'create table ledger (like ledger_first including constraints) partition by range (id)',
    `alter table ledger alter column id set default nextval('ledger_ids')`,
    'alter sequence ledger_ids owned by ledger.id',
    'alter table ledger add primary key (id)',
    'create index ledger_by_account on ledger (account_id, id, token_id, kind)',
    `create index ledger_credits on ledger (id, account_id) where kind = 'credit'`,
    `create index ledger_tests on ledger (id, account_id) where mode = 'test'`,
    refuseChanges('ledger'),
    `do $$ begin execute format('alter table ledger attach partition ledger_first for values from (minvalue) to (%s)',
      (select (last_value / ${LEAST_IDS} + 2) * ${LEAST_IDS} from ledger_ids)); end $$`,
    ...addRest(),
  ];
}

/** As the whole has them; only a partition itself can have the unique pair. */
export function createPartition(name: string): string[] {
  return [
    `create table ${name} (like ledger including constraints including indexes)`,
    `alter table ${name} add unique (hold_id, kind)`,
    refuseChanges(name),
  ];
}

export function addRest(): string[] {
  return [...createPartition('ledger_rest'), 'alter table ledger attach partition ledger_rest default'];
}

export function attachPartition({ name, start, end }: LedgerPartition): string {
  const from = start === 0n ? 'minvalue' : String(start);
  return `alter table ledger attach partition ${name} for values from (${from}) to (${end})`;
}

export function nameOfLedgerPartition(end: bigint): string {
  return `ledger_to_${end}`;
}

/** Promise M-12. A partition can only be dropped as a whole. */
function refuseChanges(table: string): string {
  return `create trigger ledger_append_only before update or delete or truncate on ${table} execute function ledger_refuse()`;
}

/** In their order, without the rest. */
export async function listLedgerPartitions(connection: pg.ClientBase): Promise<LedgerPartition[]> {
  const { rows } = await connection.query<{ name: string; bounds: string }>(
    `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
     from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'ledger'::regclass`,
  );
  const partitions = rows.flatMap(({ name, bounds }) => readBounds(name, bounds) ?? []);
  return partitions.sort((one, other) => (one.end < other.end ? -1 : 1));
}

/** undefined for the rest. */
export function readBounds(name: string, bounds: string): LedgerPartition | undefined {
  const [, start, end] = /^FOR VALUES FROM \((MINVALUE|'\d+')\) TO \('(\d+)'\)$/.exec(bounds) ?? [];
  if (start === undefined || end === undefined) return undefined;
  return { name, start: start === 'MINVALUE' ? 0n : BigInt(start.slice(1, -1)), end: BigInt(end) };
}

export interface LedgerPace {
  /** The last id that was given. */
  last: bigint;
  /** The first entry of the partition that is being filled. */
  first: { id: bigint; at: number } | undefined;
  /** Unix seconds. */
  now: number;
}

const MONTH_SECONDS = 30 * 86_400;
const HOUR_SECONDS = 3_600;

/** So many ids as a month takes at the pace of now, in whole steps. */
export function idsOfMonth({ last, first, now }: LedgerPace, least = LEAST_IDS): bigint {
  if (first === undefined || last <= first.id) return least;
  const seconds = Math.max(HOUR_SECONDS, now - first.at);
  const ids = BigInt(Math.ceil((Number(last - first.id) / seconds) * MONTH_SECONDS));
  return ((ids + least - 1n) / least) * least;
}

/** The end of the partition that is to be made; undefined while there are ids enough for a month. */
export function nextEnd(
  partitions: readonly LedgerPartition[],
  pace: LedgerPace,
  least = LEAST_IDS,
): bigint | undefined {
  const end = partitions.at(-1)?.end ?? 0n;
  const ids = idsOfMonth(pace, least);
  if (end - pace.last >= ids) return undefined;
  const after = end > pace.last ? end : pace.last;
  return (after / least) * least + ids;
}
