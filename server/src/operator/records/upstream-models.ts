// The models of an upstream as operators see them: whether the channel carries each, and what the list of prices knows of it.
import type { UpstreamModel } from '#contract/channels.ts';
import { readListPrices } from '../../catalogue/list-prices.ts';

/** `models` of the channel: public name -> upstream name. */
export async function writeUpstreamModels(
  names: readonly string[],
  models: Readonly<Record<string, string>>,
): Promise<UpstreamModel[]> {
  if (names.length === 0) return [];
  const { prices } = await readListPrices();
  const known = new Map(prices.map(({ model, price }) => [model, price]));
  const carried = new Map(Object.entries(models).map(([name, upstream]) => [upstream, name]));
  return names.map((id) => ({
    id,
    carried_as: carried.get(id) ?? null,
    list_price: known.get(id) ?? known.get(id.slice(id.lastIndexOf('/') + 1)) ?? null,
  }));
}
