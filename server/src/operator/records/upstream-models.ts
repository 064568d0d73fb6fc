// The models of an upstream as operators see them: whether the channel carries each, what the list of prices knows of it, and
// what it costs here.
import type { UpstreamModel } from '#contract/channels.ts';
import { type Price, price as priceSchema } from '#contract/prices.ts';
import { listPriceFinder, readListPrices, retirementOf } from '../../catalogue/list-prices.ts';
import { findProvider } from '../../providers/registry.ts';
import { findModels } from '../../store/queries/models.ts';
import type { Reads } from '../../store/store.ts';
import { unitsOf } from './providers.ts';

/** `models` of the channel: public name -> upstream name. */
export async function writeUpstreamModels(
  reads: Reads,
  names: readonly string[],
  models: Readonly<Record<string, string>>,
): Promise<UpstreamModel[]> {
  if (names.length === 0) return [];
  const listed = listPriceFinder((await readListPrices()).prices);
  const carried = new Map(Object.entries(models).map(([name, upstream]) => [upstream, name]));
  const publicNames = names.map((id) => carried.get(id) ?? id);
  const here = new Map((await findModels(reads, publicNames)).map(({ id, price }) => [id, price]));
  return names.map((id) => {
    const row = listed(id);
    const own = here.get(carried.get(id) ?? id) ?? null;
    return {
      id,
      carried_as: carried.get(id) ?? null,
      list_price: row === undefined ? null : priceSchema.parse(row.price),
      price: own === null ? null : (JSON.parse(own) as Price),
      retires_at: row === undefined ? null : retirementOf(row),
    };
  });
}

/** Models that the list of prices has for a kind whose upstream cannot list them. */
export async function namesOnList(providerName: string): Promise<string[]> {
  const provider = findProvider(providerName);
  const { listedAs } = provider?.facts ?? {};
  if (provider === undefined || listedAs === undefined) return [];
  const units = unitsOf(provider);
  const { prices } = await readListPrices();
  return prices
    .filter((row) => row.provider === listedAs && units.includes(priceSchema.parse(row.price).unit))
    .map(({ model }) => model);
}
