// The ratios of a source: from its table of options, or from what new-api answers to GET /api/pricing.
import { exact, type Exact } from '../exact-decimal.ts';
import { object, type Row, text } from '../sources/source.ts';

export const RATIOS = [
  'ModelRatio',
  'CompletionRatio',
  'ModelPrice',
  'CacheRatio',
  'CreateCacheRatio',
  'ImageRatio',
  'AudioRatio',
  'AudioCompletionRatio',
] as const;
export type RatioName = (typeof RATIOS)[number];

export interface Ratios {
  /** 500000 of new-api's units are one of the currency. */
  perUnit: Exact;
  /** A map that is absent was never saved: the program used the numbers it has built in. */
  maps: Partial<Record<RatioName, ReadonlyMap<string, Exact>>>;
  /** Models billed by an expression. */
  byExpression: ReadonlySet<string>;
  /** Of models in it nothing is built in: every ratio is the one that counted. */
  effective: ReadonlySet<string>;
  groups: ReadonlyMap<string, Exact>;
  /** Models without a ratio are charged too. */
  isSelfUse: boolean;
}

const USUAL_GROUPS = { default: 1, vip: 1, svip: 1 };
const USUAL_PER_UNIT: Exact = { digits: 500_000n, scale: 0 };

export function readRatios(options: ReadonlyMap<string, string>): Ratios {
  const perUnit = exact(options.get('QuotaPerUnit') ?? '');
  return {
    perUnit: perUnit === undefined || perUnit.digits <= 0n ? USUAL_PER_UNIT : perUnit,
    maps: Object.fromEntries(
      RATIOS.filter((name) => options.has(name)).map((name) => [name, numbers(object(options.get(name)) ?? {})]),
    ),
    byExpression: new Set(
      Object.entries(object(options.get('billing_setting.billing_mode')) ?? {})
        .filter(([, mode]) => mode === 'tiered_expr')
        .map(([model]) => model),
    ),
    effective: new Set(),
    groups: numbers(object(options.get('GroupRatio')) ?? USUAL_GROUPS),
    isSelfUse: options.get('SelfUseModeEnabled') === 'true',
  };
}

const FIELDS: Record<RatioName, string> = {
  ModelRatio: 'model_ratio',
  CompletionRatio: 'completion_ratio',
  ModelPrice: 'model_price',
  CacheRatio: 'cache_ratio',
  CreateCacheRatio: 'create_cache_ratio',
  ImageRatio: 'image_ratio',
  AudioRatio: 'audio_ratio',
  AudioCompletionRatio: 'audio_completion_ratio',
};

/** undefined where the answer is not one of GET /api/pricing. */
export function withPricing(ratios: Ratios, answer: unknown): Ratios | undefined {
  const data = object(answer)?.['data'];
  if (!Array.isArray(data)) return undefined;
  const rows = data.map((row) => object(row) ?? {}).filter((row) => text(row['model_name']) !== '');
  const nameOf = (row: Row): string => text(row['model_name']);
  const isPriced = (row: Row): boolean => text(row['quota_type']) === '1';
  const maps = Object.fromEntries(
    RATIOS.map((name) => {
      const map = new Map(ratios.maps[name]);
      for (const row of rows) {
        map.delete(nameOf(row));
        const isMeant = name === 'ModelPrice' ? isPriced(row) : !isPriced(row);
        const value = exact(row[FIELDS[name]] ?? '');
        if (isMeant && value !== undefined) map.set(nameOf(row), value);
      }
      return [name, map];
    }),
  );
  const groups = object(object(answer)?.['group_ratio']);
  return {
    ...ratios,
    maps,
    byExpression: new Set(rows.filter((row) => row['billing_mode'] === 'tiered_expr').map(nameOf)),
    effective: new Set(rows.map(nameOf)),
    groups: groups === undefined ? ratios.groups : new Map([...ratios.groups, ...numbers(groups)]),
  };
}

function numbers(map: Row): Map<string, Exact> {
  return new Map(
    Object.entries(map).flatMap(([name, value]) => {
      const number = exact(value);
      return number === undefined || number.digits < 0n ? [] : [[name, number] as const];
    }),
  );
}
