// Up to when the ledger's entries are carried forward as sums, because the old ones were exported and dropped.
import type { Reads } from '../store.ts';

/** Its key among the facts of the store. */
export const LEDGER_CARRIED = 'ledger_carried';

export interface Carried {
  /** Time of the newest entry that may be gone; 0 when none is. */
  until: number;
  /** How many entries are gone. */
  dropped: number;
}

export function readCarried(value: string | undefined): Carried {
  return value === undefined ? { until: 0, dropped: 0 } : (JSON.parse(value) as Carried);
}

export async function findCarried(reads: Reads): Promise<Carried> {
  const row = await reads.selectFrom('meta').select('value').where('key', '=', LEDGER_CARRIED).executeTakeFirst();
  return readCarried(row?.value);
}
