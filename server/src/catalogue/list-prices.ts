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

/** Finds the price of a model by its name at an upstream. */
export function listPriceFinder(prices: readonly ListPrice[]): (upstreamName: string) => ListPrice | undefined {
  const known = new Map(prices.map((row) => [row.model, row]));
  return (name) => {
    for (const spelling of spellings(name)) {
      const row = known.get(spelling);
      if (row !== undefined) return row;
    }
    return undefined;
  };
}

/**
 * Its own name, without the vendor's in front, and without what a cloud adds to it; a name that ends in the day of its release
 * (-20251001) is that of one version, so the name without it has the same price. Other dates may stand for another price.
 */
function spellings(name: string): string[] {
  const last = name.slice(name.lastIndexOf('/') + 1);
  const plain = last.replace(/^(?:[a-z]{2,6}\.)?[a-z0-9]+\.(?=[a-z])/, '').replace(/(?:-v\d+)?(?::\d+)?$/, '');
  return [name, last, plain, plain.replace(/-20\d{6}$/, '')];
}

/** Unix seconds of the beginning of the day that the list names. */
export function retirementOf({ retires_on: day }: Pick<ListPrice, 'retires_on'>): number | null {
  return day === undefined ? null : Date.parse(`${day}T00:00:00Z`) / 1000;
}

async function readPriceFile(file: URL): Promise<PriceFile> {
  return JSON.parse(await readFile(file, 'utf8')) as PriceFile;
}
