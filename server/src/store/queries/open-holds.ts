// Whether a hold is open, and the price that was agreed with it.
import type { Reads } from '../store.ts';

export async function isHoldOpen(reads: Reads, id: string): Promise<boolean> {
  return (await reads.selectFrom('holds').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

/** As JSON text; undefined where it is open no more. */
export async function priceOfHold(reads: Reads, id: string): Promise<string | undefined> {
  return (await reads.selectFrom('holds').select('price').where('id', '=', id).executeTakeFirst())?.price;
}
