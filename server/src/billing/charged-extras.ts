// What a call is charged for beside its tokens: the service tier that the upstream reports, else the one it was asked for,
// and the uses of server-side tools, as far as they can be true (promise M-10).
import type { Price } from '../catalogue/prices.ts';
import { AUTO, PLAIN_TIER } from '../neutral/service-tier.ts';
import type { Extras, ToolUses } from '../neutral/usage.ts';
import { MOST_USES } from './dearest-rates.ts';
import { tierFactor } from './token-charge.ts';

/** The tiers that the upstream was asked for. */
type AskedTiers = () => readonly string[];

const MOST_TOOLS = 20;
const TOOL_NAME = /^[a-z0-9_.-]{1,50}$/;

/** undefined where there is nothing, as with most calls. */
export function chargedExtras(price: Price, reported: Extras | undefined, asked?: AskedTiers): Extras | undefined {
  if (reported === undefined && asked === undefined) return undefined;
  const serviceTier = tierOf(price, reported?.serviceTier, asked);
  const toolUses = reported?.toolUses === undefined ? undefined : believable(reported.toolUses);
  if (serviceTier === undefined && toolUses === undefined) return undefined;
  return { ...(serviceTier !== undefined && { serviceTier }), ...(toolUses !== undefined && { toolUses }) };
}

/** One that was asked for by another name than the upstream reports has the price of either. */
function tierOf(price: Price, reported: string | undefined, asked: AskedTiers = () => []): string | undefined {
  const tiers = price.unit === 'tokens' ? price.tiers : undefined;
  const isPriced = (tier: string): boolean => tiers?.has(tier) === true;
  if (reported === PLAIN_TIER) return isPriced(reported) ? reported : undefined;
  if (reported !== undefined && isPriced(reported)) return reported;
  const named = asked().filter((tier) => tier !== '' && tier !== AUTO && tier !== PLAIN_TIER);
  return dearestOf(price, reported === undefined ? named : named.filter(isPriced)) ?? reported;
}

/** One call is served in one tier. */
function dearestOf(price: Price, tiers: readonly string[]): string | undefined {
  const [first, ...others] = tiers;
  if (first === undefined || price.unit !== 'tokens') return first;
  return others.reduce(
    (dearest, tier) => (tierFactor(price, tier) > tierFactor(price, dearest) ? tier : dearest),
    first,
  );
}

function believable(uses: ToolUses): ToolUses | undefined {
  const reported = Object.entries(uses)
    .filter(([name, count]) => TOOL_NAME.test(name) && Number.isSafeInteger(count) && count > 0)
    .slice(0, MOST_TOOLS)
    .map(([name, count]) => [name, Math.min(count, MOST_USES)] as const);
  return reported.length === 0 ? undefined : Object.fromEntries(reported);
}
