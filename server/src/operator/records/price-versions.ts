// How the prices of models came about, as operators see it.
import type { Price } from '#contract/prices.ts';
import type { PriceVersion } from '#contract/price-import.ts';
import { insertPriceVersion, type PriceVersionRow } from '../../store/queries/price-versions.ts';
import type { Transaction } from '../../store/store.ts';

export interface PriceChange {
  model: string;
  before: Price | null;
  after: Price | null;
  author: string;
  origin: string;
  at: number;
}

/** A price that stays as it is makes no version. */
export async function recordPrice(transaction: Transaction, change: PriceChange): Promise<void> {
  const { model, before, after, author, origin, at } = change;
  if (samePrice(before, after)) return;
  const price = after === null ? null : JSON.stringify(after);
  await insertPriceVersion(transaction, { model_id: model, price, author, origin, created_at: at });
}

export function samePrice(one: Price | null, other: Price | null): boolean {
  return sorted(one) === sorted(other);
}

export function writePriceVersion(row: PriceVersionRow): PriceVersion {
  return {
    id: String(row.id),
    model: row.model_id,
    price: row.price === null ? null : (JSON.parse(row.price) as Price),
    author: row.author,
    origin: row.origin,
    created_at: row.created_at,
  };
}

function sorted(price: Price | null): string {
  return JSON.stringify(
    Object.entries(price ?? {})
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
