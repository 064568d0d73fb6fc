// The address of the usage page: what it shows, and its filters.
import { usageKey, type UsageKey, usageRank } from '#contract/usage.ts';
import { isZone } from '#contract/values/time-zones.ts';
import { localZone } from '../../lib/zone.ts';
import type { Measure } from './columns.ts';
import { type Preset, presets } from './periods.ts';
import { type FilterName, filterNames, type Filters } from './request-search.ts';

type ViewName = 'range' | 'first' | 'last' | 'by' | 'measure' | 'compare' | 'zone';

export type UsageSearch = { [name in ViewName | FilterName]?: string };

export interface UsageView {
  preset: Preset;
  by: UsageKey;
  measure: Measure;
  compared: boolean;
  zone: string;
  /** As the gateway and the list of requests take them. */
  filters: Filters;
}

/** What is not said is what most people want: 30 days by model, live, with the period before. */
export function viewOf(search: UsageSearch): UsageView {
  const given = Object.fromEntries(
    filterNames.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
  );
  const { mode = 'live', ...others } = given as Filters;
  return {
    preset: presets.find((name) => name === search.range) ?? '30d',
    by: usageKey.catch('model').parse(search.by),
    measure: usageRank.catch('amount').parse(search.measure),
    compared: search.compare !== 'off',
    zone: search.zone !== undefined && isZone(search.zone) ? search.zone : localZone,
    filters: { ...others, ...(mode !== 'any' && { mode }) },
  };
}
