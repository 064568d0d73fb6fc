// What a request asks for that would cost the operator more and has no price (contract-2 9). A service tier without a
// price is left out and named; a server-side tool without one is passed on. A model's `pass_unpriced` passes or drops both.
import type { Model } from '../catalogue/catalogue.ts';
import { AUTO, PLAIN_TIER, readTier } from '../neutral/service-tier.ts';
import type { AskedTier, RelayRequest, ServerTool } from '../protocols/protocol.ts';
import type { JsonChanges } from '../shared/json-rewrite.ts';

type Priced = Pick<Model, 'price' | 'passUnpriced'>;

const PLAIN: ReadonlySet<string> = new Set([AUTO, PLAIN_TIER]);
const NONE: readonly AskedTier[] = [];

/** The request as it may be sent; the very same one where nothing has to go. */
export function dropUnpriced(request: RelayRequest, model: Priced): RelayRequest {
  const tiers = unpricedTiers(request, model);
  const tools = unpricedTools(request, model);
  if (tiers.length === 0 && tools.length === 0) return request;
  const ofTools = tools.length === 0 ? undefined : request.serverTools?.().without(tools);
  const changes: JsonChanges = {
    set: ofTools?.set ?? {},
    remove: [...tiers.map(({ field }) => field), ...(ofTools?.remove ?? [])],
  };
  const dropped = [...tiers.map(({ field }) => field), ...tools.map(({ path }) => path)];
  const gone = new Set(tools);
  const { serviceTiers, serverTools, readGeneration, fit, ...rest } = request;
  return {
    ...rest,
    serviceTiers: without(serviceTiers, tiers),
    ...(serverTools !== undefined && {
      serverTools: () => ({ ...serverTools(), list: serverTools().list.filter((tool) => !gone.has(tool)) }),
    }),
    write: (target) => request.write({ ...target, changes }),
    dropped,
    ...(readGeneration !== undefined && { readGeneration: () => withoutTiers(readGeneration(), dropped, tiers) }),
    ...(fit !== undefined && {
      fit(most: number) {
        const fitted = fit(most);
        return fitted && dropUnpriced(fitted, model);
      },
    }),
  };
}

/** The tiers that are not left out. */
export function passedTiers(request: Pick<RelayRequest, 'serviceTiers'>, model: Priced): RelayRequest['serviceTiers'] {
  return without(request.serviceTiers, unpricedTiers(request, model));
}

function without(tiers: RelayRequest['serviceTiers'], gone: readonly AskedTier[]): RelayRequest['serviceTiers'] {
  const left = tiers?.filter((tier) => !gone.includes(tier));
  return left?.length === 0 ? undefined : left;
}

function unpricedTiers(
  { serviceTiers }: Pick<RelayRequest, 'serviceTiers'>,
  { price, passUnpriced }: Priced,
): readonly AskedTier[] {
  if (serviceTiers === undefined || passUnpriced === true) return NONE;
  const priced = price?.unit === 'tokens' ? price.tiers : undefined;
  return serviceTiers.filter(({ name }) => !PLAIN.has(name) && priced?.has(name) !== true);
}

function unpricedTools({ serverTools }: RelayRequest, { price, passUnpriced }: Priced): readonly ServerTool[] {
  if (passUnpriced !== false || serverTools === undefined) return [];
  const priced = price?.unit === 'tokens' ? price.tools : undefined;
  return serverTools().list.filter(({ name }) => priced?.has(name) !== true);
}

/** For an upstream of another protocol, which is never sent such tools. */
function withoutTiers(
  generation: ReturnType<NonNullable<RelayRequest['readGeneration']>>,
  dropped: readonly string[],
  tiers: readonly AskedTier[],
): typeof generation {
  const { serviceTier, ...settings } = generation.settings;
  const isGone = tiers.some(({ name }) => name === (readTier(serviceTier) ?? ''));
  return {
    ...generation,
    settings: isGone ? settings : generation.settings,
    unknown: [...generation.unknown, ...dropped],
  };
}
