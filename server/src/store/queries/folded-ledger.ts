// The ledger with the entries of one hold together: a request is one row with what it cost, at the position of its newest entry.
import type { Reads } from '../store.ts';
import { type LedgerListing, type LedgerRow, listLedger } from './ledger.ts';

export interface LedgerGroup {
  /** Oldest first. */
  entries: [LedgerRow, ...LedgerRow[]];
}

export interface GroupPage {
  groups: LedgerGroup[];
  /** The id to go on after; undefined at the end. */
  next: bigint | undefined;
}

/** A request has up to three entries. */
const ENTRIES = 3;

export async function listLedgerGroups(
  reads: Reads,
  { limit, ...listing }: Omit<LedgerListing, 'kind'>,
): Promise<GroupPage> {
  const wanted = limit * ENTRIES + 1;
  const rows = await listLedger(reads, { ...listing, limit: wanted });
  const whole = await entriesOfHolds(reads, rows);
  const seen = new Set<string>();
  const groups: LedgerGroup[] = [];
  let last: bigint | undefined;
  for (const row of rows) {
    const key = keyOf(row);
    if (!seen.has(key)) {
      if (groups.length === limit) return { groups, next: last };
      seen.add(key);
      const entries = whole.get(key) ?? [row];
      // Shown on a page before, at the position of its newest entry.
      if (listing.after === undefined || newestOf(entries, listing) < listing.after) groups.push({ entries });
    }
    last = row.id;
  }
  return { groups, next: rows.length === wanted ? last : undefined };
}

function keyOf({ hold_id, id }: LedgerRow): string {
  return hold_id ?? `entry ${id}`;
}

/** Of those that the listing itself would show. */
function newestOf(
  entries: LedgerRow[],
  { from = 0, to = Infinity }: { from?: number | undefined; to?: number | undefined },
): bigint {
  const inRange = entries.filter(({ created_at }) => created_at >= from && created_at < to);
  return inRange.reduce((newest, { id }) => (id > newest ? id : newest), 0n);
}

async function entriesOfHolds(reads: Reads, rows: LedgerRow[]): Promise<Map<string, LedgerGroup['entries']>> {
  const holds = [...new Set(rows.flatMap(({ hold_id }) => hold_id ?? []))];
  const groups = new Map<string, LedgerGroup['entries']>();
  if (holds.length === 0) return groups;
  const entries = await reads.selectFrom('ledger').selectAll().where('hold_id', 'in', holds).orderBy('id').execute();
  for (const entry of entries) {
    const group = groups.get(keyOf(entry));
    if (group === undefined) groups.set(keyOf(entry), [entry]);
    else group.push(entry);
  }
  return groups;
}
