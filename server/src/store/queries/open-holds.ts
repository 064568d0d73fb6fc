// Whether a hold is open.
import type { Reads } from '../store.ts';

export async function isHoldOpen(reads: Reads, id: string): Promise<boolean> {
  return (await reads.selectFrom('holds').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}
