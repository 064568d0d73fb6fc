// What a call is charged for beside its tokens: the service tier that the upstream reports, else the one it was asked for,
// and the uses of server-side tools, as far as they can be true (promise M-10).
import type { Price } from '../catalogue/prices.ts';
import { AUTO, PLAIN_TIER } from '../neutral/service-tier.ts';
import type { Extras, ToolLimits, ToolUses } from '../neutral/usage.ts';
import { MOST_USES } from './highest-cost.ts';
import { tierFactor } from './token-charge.ts';

/** The tiers that the upstream was asked for. */
type AskedTiers = () => readonly string[];

const MOST_TOOLS = 20;
const TOOL_NAME = /^[a-z0-9_.-]{1,50}$/;

/** `limits` of the request as it was sent; looked for only where a tool with a price was used. */
export interface Asked {
  tiers?: AskedTiers | undefined;
  limits?: (() => ToolLimits | undefined) | undefined;
}

/** undefined where there is nothing, as with most calls. */
export function chargedExtras(
  price: Price,
  reported: Extras | undefined,
  { tiers: asked, limits }: Asked = {},
): Extras | undefined {
  if (reported === undefined && asked === undefined) return undefined;
  const serviceTier = tierOf(price, reported?.serviceTier, asked);
  const toolUses = reported?.toolUses === undefined ? undefined : believable(price, reported.toolUses, limits);
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
  return highestTierOf(price, reported === undefined ? named : named.filter(isPriced)) ?? reported;
}

/** One call is served in one tier. */
function highestTierOf(price: Price, tiers: readonly string[]): string | undefined {
  const [first, ...others] = tiers;
  if (first === undefined || price.unit !== 'tokens') return first;
  return others.reduce((most, tier) => (tierFactor(price, tier) > tierFactor(price, most) ? tier : most), first);
}

/** More uses of a tool were reported than the call can have had. */
export function areUsesCut({ toolUses = {} }: Extras, charged: Extras = {}): boolean {
  return Object.entries(toolUses).some(
    ([name, count]) => count > MOST_USES || (isUse([name, count]) && count > ownCount(charged.toolUses, name, 0)),
  );
}

function believable(price: Price, uses: ToolUses, limits: Asked['limits']): ToolUses | undefined {
  const reported = Object.entries(uses).filter(isUse).slice(0, MOST_TOOLS);
  const rates = price.unit === 'tokens' ? price.tools : undefined;
  const { each = {}, total } = (reported.some(([name]) => rates?.has(name) === true) && limits?.()) || {};
  const cut = reported.map(
    ([name, count]) => [name, Math.min(count, ownCount(each, name, MOST_USES), MOST_USES)] as const,
  );
  const rateOf = (name: string): bigint => rates?.get(name) ?? 0n;
  const within =
    total === undefined
      ? cut
      : shareOut(
          [...cut].sort(([a], [b]) => compare(rateOf(b), rateOf(a))),
          total,
        );
  const left = within.filter(([, count]) => count > 0);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** The first of them first. */
function shareOut(uses: readonly (readonly [string, number])[], total: number): [string, number][] {
  let left = total;
  return uses.map(([name, count]) => {
    const some = Math.min(count, left);
    left -= some;
    return [name, some];
  });
}

function isUse([name, count]: readonly [string, number]): boolean {
  return TOOL_NAME.test(name) && Number.isSafeInteger(count) && count > 0;
}

function ownCount(uses: ToolUses = {}, name: string, otherwise: number): number {
  return Object.hasOwn(uses, name) ? (uses[name] ?? otherwise) : otherwise;
}

function compare(a: bigint, b: bigint): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
