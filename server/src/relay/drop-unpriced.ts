// What a request asks for that would cost the operator more and has no price (contract-2 9). A service tier without a
// price is left out and named; a server-side tool without one is passed on. A model's `pass_unpriced` passes or drops both.
import type { Model } from '../catalogue/catalogue.ts';
import { AUTO, PLAIN_TIER } from '../neutral/service-tier.ts';
import type { AskedTier, RelayRequest, ServerTool } from '../protocols/protocol.ts';
import type { JsonChanges } from '../shared/json-rewrite.ts';

type Priced = Pick<Model, 'price' | 'passUnpriced'>;

const PLAIN: ReadonlySet<string> = new Set([AUTO, PLAIN_TIER]);

/** The request as it may be sent; the very same one where nothing has to go. */
export function dropUnpriced(request: RelayRequest, model: Priced): RelayRequest {
  const tier = unpricedTier(request, model);
  const tools = unpricedTools(request, model);
  if (tier === undefined && tools.length === 0) return request;
  const ofTools = tools.length === 0 ? undefined : request.serverTools?.().without(tools);
  const changes: JsonChanges = {
    set: ofTools?.set ?? {},
    remove: [...(tier === undefined ? [] : [tier]), ...(ofTools?.remove ?? [])],
  };
  const dropped = [...(tier === undefined ? [] : [tier]), ...tools.map(({ path }) => path)];
  const gone = new Set(tools);
  const { serviceTier, serverTools, readGeneration, fit, ...rest } = request;
  return {
    ...rest,
    ...(tier === undefined && { serviceTier }),
    ...(serverTools !== undefined && {
      serverTools: () => ({ ...serverTools(), list: serverTools().list.filter((tool) => !gone.has(tool)) }),
    }),
    write: (target) => request.write({ ...target, changes }),
    dropped,
    ...(readGeneration !== undefined && { readGeneration: () => withoutTier(readGeneration(), dropped, tier) }),
    ...(fit !== undefined && {
      fit(most: number) {
        const fitted = fit(most);
        return fitted && dropUnpriced(fitted, model);
      },
    }),
  };
}

/** The tier that the upstream is asked for. */
export function sentTier(request: Pick<RelayRequest, 'serviceTier'>, model: Priced): AskedTier | undefined {
  return unpricedTier(request, model) === undefined ? request.serviceTier : undefined;
}

/** The field that asks for it. */
function unpricedTier(
  { serviceTier }: Pick<RelayRequest, 'serviceTier'>,
  { price, passUnpriced }: Priced,
): string | undefined {
  if (serviceTier === undefined || passUnpriced === true || PLAIN.has(serviceTier.name)) return undefined;
  const isPriced = price?.unit === 'tokens' && price.tiers?.has(serviceTier.name) === true;
  return isPriced ? undefined : serviceTier.field;
}

function unpricedTools({ serverTools }: RelayRequest, { price, passUnpriced }: Priced): readonly ServerTool[] {
  if (passUnpriced !== false || serverTools === undefined) return [];
  const priced = price?.unit === 'tokens' ? price.tools : undefined;
  return serverTools().list.filter(({ name }) => priced?.has(name) !== true);
}

/** For an upstream of another protocol, which is never sent such tools. */
function withoutTier(
  generation: ReturnType<NonNullable<RelayRequest['readGeneration']>>,
  dropped: readonly string[],
  tier: string | undefined,
): typeof generation {
  const { serviceTier: _, ...settings } = generation.settings;
  return {
    ...generation,
    settings: tier === undefined ? generation.settings : settings,
    unknown: [...generation.unknown, ...dropped],
  };
}
