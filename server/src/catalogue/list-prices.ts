// The public list prices that come with the gateway: tokens, made by `npm run list-prices`, and pictures, sound, videos and
// searches, kept by hand with the page and day of each. Read when an operator asks for them.
import { readFile } from 'node:fs/promises';

export interface ListPrice {
  model: string;
  provider: string;
  /** A price of contract section 6. */
  price: Record<string, unknown>;
  /** Where it was read, and when: `YYYY-MM-DD`. */
  source?: string;
  as_of?: string;
  /** When its vendor retires the model: `YYYY-MM-DD`. */
  retires_on?: string;
}

interface PriceFile {
  source: string;
  prices: ListPrice[];
}

export async function readListPrices(): Promise<PriceFile> {
  const [tokens, media] = await Promise.all([
    readPriceFile(new URL('./list-prices.json', import.meta.url)),
    readPriceFile(new URL('./media-prices.json', import.meta.url)),
  ]);
  const byHand = new Set(media.prices.map(({ model }) => model));
  const prices = [...tokens.prices.filter(({ model }) => !byHand.has(model)), ...media.prices];
  return { source: `${tokens.source}; ${media.source}`, prices };
}

async function readPriceFile(file: URL): Promise<PriceFile> {
  return JSON.parse(await readFile(file, 'utf8')) as PriceFile;
}
