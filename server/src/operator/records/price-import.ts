// Brings prices from outside into the catalogue: first what would change, then the change itself.
import type { PriceImport, PriceImportResult } from '#contract/price-import.ts';
import { type Price, price as priceSchema } from '#contract/prices.ts';
import { modelPut } from '#contract/models.ts';
import { divideRounded, formatAmount, NANO, parseAmount } from '../../billing/money.ts';
import { readListPrices, retirementOf } from '../../catalogue/list-prices.ts';
import { allows } from '../../catalogue/visible-models.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { Transaction } from '../../store/store.ts';
import { allModels, updateModelPrice } from '../../store/queries/models.ts';
import { putModel } from './models.ts';
import { recordPrice, samePrice } from './price-versions.ts';

export interface PriceRow {
  model: string;
  price: Price;
  source?: string;
  as_of?: string;
  retires_on?: string;
}

export interface PriceSource {
  name: string;
  rows: PriceRow[];
}

/** The rows that are asked for, at the price that is asked for. */
export async function readSource({ source, models, multiplier }: PriceImport): Promise<PriceSource> {
  const given: PriceSource =
    source === 'list'
      ? await readListPrices().then((list) => ({
          name: list.source,
          rows: list.prices.map((row) => ({ ...row, price: priceSchema.parse(row.price) })),
        }))
      : { name: 'rows', rows: source };
  const names = new Set<string>();
  for (const { model } of given.rows) {
    if (names.has(model)) throw invalidRequest(`"source" has "${model}" twice.`, 'source');
    names.add(model);
  }
  const factor = parseAmount(multiplier) ?? NANO;
  const rows = given.rows
    .filter(({ model }) => allows(models ?? undefined, model))
    .map((row) => ({ ...row, price: factor === NANO ? row.price : times(row.price, factor) }));
  return { name: given.name, rows };
}

export interface ImportFacts {
  author: string;
  at: number;
  create: boolean;
  dryRun: boolean;
}

export async function importPrices(
  transaction: Transaction,
  { name, rows }: PriceSource,
  { author, at, create, dryRun }: ImportFacts,
): Promise<PriceImportResult> {
  const known = new Map((await allModels(transaction)).map((row) => [row.id, row]));
  const counts = { create: 0, change: 0, same: 0, skip: 0 };
  const changes: PriceImportResult['changes'] = [];
  for (const listed of rows) {
    const { model, price: after } = listed;
    const retiresAt = retirementOf(listed);
    const row = known.get(model);
    const before = row?.price === undefined || row.price === null ? null : (JSON.parse(row.price) as Price);
    const action = row === undefined ? (create ? 'create' : 'skip') : samePrice(before, after) ? 'same' : 'change';
    counts[action]++;
    const tiered = after.unit === 'tokens' && (after.above ?? []).length > 0;
    const { source = null, as_of = null } = listed;
    changes.push({ model, action, before, after, listed: { source, as_of, retires_at: retiresAt }, tiered });
    if (dryRun || action === 'same' || action === 'skip') continue;
    if (action === 'create')
      await putModel(transaction, { id: model, ...modelPut.parse({ price: after, retires_at: retiresAt }) }, at);
    else await updateModelPrice(transaction, model, JSON.stringify(after));
    await recordPrice(transaction, { model, before, after, author, origin: `import: ${name}`, at });
  }
  return { dry_run: dryRun, source: name, counts, changes };
}

/** Fields that are no amounts. */
const KEPT = new Set(['unit', 'resolution', 'factors', 'tiers', 'input_tokens', 'batch']);

/** Every amount of the price, rounded once; factors and thresholds stay. */
function times(price: Price, factor: bigint): Price {
  const scale = (name: string, value: unknown): unknown => {
    if (KEPT.has(name)) return value;
    if (typeof value === 'string') return formatAmount(divideRounded((parseAmount(value) ?? 0n) * factor, NANO));
    if (Array.isArray(value)) return value.map((one: object) => mapValues(one, scale));
    return typeof value === 'object' && value !== null ? mapValues(value, (_, one) => scale('', one)) : value;
  };
  return mapValues(price, scale) as Price;
}

function mapValues(fields: object, change: (name: string, value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(name, value)]));
}
