// Puts the models of a new channel up for sale in the same step: those that do not exist are created, the others get the
// price that was given with the channel (issue 34: connect a provider).
import type { ChannelConnect } from '#contract/channels.ts';
import { modelPut } from '#contract/models.ts';
import type { Price } from '#contract/prices.ts';
import { listPriceFinder, readListPrices, retirementOf } from '../../catalogue/list-prices.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { findProvider } from '../../providers/registry.ts';
import { findModel, updateModelPrice } from '../../store/queries/models.ts';
import type { Transaction } from '../../store/store.ts';
import { putModel } from './models.ts';
import { recordPrice } from './price-versions.ts';
import { unitsOf } from './providers.ts';

/** Before anything is written. */
export function checkPrices({
  prices,
  models,
  provider,
}: Pick<ChannelConnect, 'prices' | 'models' | 'provider'>): void {
  const known = findProvider(provider);
  const units = known === undefined ? [] : unitsOf(known);
  for (const [name, { unit }] of Object.entries(prices)) {
    if (!Object.hasOwn(models, name))
      throw invalidRequest(`"prices" names "${name}", which "models" does not have.`, `prices.${name}`);
    if (units.includes(unit)) continue;
    const message = `The price of "${name}" counts "${unit}", and a channel of provider "${provider}" counts ${units.join(', ')}.`;
    throw invalidRequest(message, `prices.${name}.unit`);
  }
}

export async function connectModels(
  transaction: Transaction,
  { prices, models, name: channel }: Pick<ChannelConnect, 'prices' | 'models' | 'name'>,
  { author, at }: { author: string; at: number },
): Promise<void> {
  if (Object.keys(prices).length === 0) return;
  const listed = listPriceFinder((await readListPrices()).prices);
  for (const [model, after] of Object.entries(prices)) {
    const row = await findModel(transaction, model);
    const before = row?.price === undefined || row.price === null ? null : (JSON.parse(row.price) as Price);
    if (row === undefined) {
      const retires_at = retirementOf(listed(models[model] ?? model) ?? {});
      await putModel(transaction, { id: model, ...modelPut.parse({ price: after, retires_at }) }, at);
    } else await updateModelPrice(transaction, model, JSON.stringify(after));
    await recordPrice(transaction, { model, before, after, author, origin: `channel: ${channel}`, at });
  }
}
