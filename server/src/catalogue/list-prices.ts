// The public list prices that come with the gateway, made by `npm run list-prices`. Read when an operator asks for them.
import { readFile } from 'node:fs/promises';

export interface ListPrice {
  model: string;
  provider: string;
  /** A price of contract section 6. */
  price: Record<string, unknown>;
}

export async function readListPrices(): Promise<{ source: string; prices: ListPrice[] }> {
  const text = await readFile(new URL('./list-prices.json', import.meta.url), 'utf8');
  return JSON.parse(text) as { source: string; prices: ListPrice[] };
}
