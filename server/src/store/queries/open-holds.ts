// Whether a hold is open, and the price that was agreed with it.
import type { Reads } from '../store.ts';

export async function isHoldOpen(reads: Reads, id: string): Promise<boolean> {
  return (await reads.selectFrom('holds').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

/** What is held, and the price as JSON text; undefined where it is open no more. */
export async function agreedHold(reads: Reads, id: string): Promise<{ amount: bigint; price: string } | undefined> {
  return reads.selectFrom('holds').select(['amount', 'price']).where('id', '=', id).executeTakeFirst();
}
