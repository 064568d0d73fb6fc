// May it? What decides whether a request is served, in the order in which callers are answered. The head was checked before
// the body was read: token, origin and address (access/admit-head.ts). Here follow model and group, rate, price unit,
// stored objects, operation and route. Money comes last: it is held by hold-money.ts, or with its row by a new task.
// Relay, tasks, token counts and quotes all ask here.
import type { Principal } from '../access/principal.ts';
import type { RateGrant, RateLimiter } from '../access/rate-limit/rate-limiter.ts';
import type { TextSize } from '../billing/estimate.ts';
import type { Catalogue, ChannelFacts, Model } from '../catalogue/catalogue.ts';
import { channelsCarrying } from '../catalogue/channels-by-model.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { modelAccess, reachesChannel } from '../catalogue/visible-models.ts';
import type { ObjectRule, Router, RouteRequest } from '../routing/candidates.ts';
import type { Route } from '../routing/route.ts';
import { admitRate, type RatedCall } from './admit-rate.ts';
import type { RelayCall } from './call.ts';
import { unsupportedModel } from './unsupported-model.ts';

export interface AdmitDependencies {
  catalogue: LiveCatalogue;
  limiter: RateLimiter;
  router: Router;
}

export type AdmitCall = RatedCall & Pick<RelayCall, 'affinity'>;

type ObjectsOf<Sent> = (
  catalogue: Catalogue,
  admitted: { model: Model; request: Sent },
) => undefined | Promise<ObjectRule>;

/** What a request asks for, as far as that decides. */
export interface Asked<Sent extends TextSize> {
  /** As the caller names it. */
  model: string;
  operation: string;
  /** The price units that the endpoint can charge by; undefined where nothing is charged and no channel is needed. */
  units: readonly string[] | undefined;
  /** The request as this model may be sent it; throws what the model rules out. */
  forModel(model: Model): Sent;
  /** Which channels can do it. */
  servesFor(model: Model): RouteRequest['serves'];
  /** Which channels may be asked, where the request names what upstreams keep. */
  objectsOf?: ObjectsOf<Sent> | undefined;
}

/** A request that is served: end its grant when it is over, whatever happens. */
export interface Admitted<Sent> {
  /** What was decided by; the request is priced by the same. */
  catalogue: Catalogue;
  model: Model;
  request: Sent;
  /** undefined for a token without a rate policy. */
  grant: RateGrant | undefined;
  route: Route;
}

/** Throws what the caller is answered when it is not served. */
export async function admit<Sent extends TextSize>(
  { catalogue: live, limiter, router }: AdmitDependencies,
  call: AdmitCall,
  asked: Asked<Sent>,
): Promise<Admitted<Sent>> {
  const catalogue = live.current;
  const { principal, affinity } = call;
  const { model } = modelAccess(catalogue, principal, asked.model);
  const request = asked.forModel(model);
  const rated = admitRate(limiter, call, request);
  const grant = rated instanceof Promise ? await rated : rated;
  try {
    checkUnit(catalogue, principal, model, asked);
    const naming = asked.objectsOf?.(catalogue, { model, request });
    const objects = naming === undefined ? undefined : await naming;
    const { group, mode, accountId } = principal;
    const { operation, units } = asked;
    const serves = asked.servesFor(model);
    const wanted = { model: model.id, group, mode, accountId, operation, serves, ...(objects && { objects }) };
    const route = router.route(catalogue, wanted, affinity);
    if (units !== undefined && route.isUnsupported)
      throw unsupportedModel(catalogue, { scope: principal, model, units });
    if (units !== undefined && route.hasNoUsableChannel) throw route.exhausted();
    return { catalogue, model, request, grant, route };
  } catch (error) {
    grant?.end();
    throw error;
  }
}

/** The same for a quote: nothing is counted and no channel is asked, so none need be up. */
export function admitQuote<Sent extends TextSize>(
  catalogue: Catalogue,
  principal: Principal,
  asked: Asked<Sent>,
): Pick<Admitted<Sent>, 'model' | 'request'> {
  const { model } = modelAccess(catalogue, principal, asked.model);
  const request = asked.forModel(model);
  checkUnit(catalogue, principal, model, asked);
  return { model, request };
}

/** The same where the price depends on the channel: one that would serve it. Throws 400 where there is none. */
export function quotedChannel<Sent extends TextSize>(
  catalogue: Catalogue,
  principal: Principal,
  { model, asked: { operation, units = [], servesFor } }: { model: Model; asked: Asked<Sent> },
): ChannelFacts {
  const serves = servesFor(model);
  const channel = channelsCarrying(catalogue, model.id).find(
    (facts) => reachesChannel(principal, facts) && serves(facts, operation, model.id),
  );
  if (channel === undefined) throw unsupportedModel(catalogue, { scope: principal, model, units });
  return channel;
}

function checkUnit(
  catalogue: Catalogue,
  scope: Principal,
  model: Model,
  { units }: Pick<Asked<TextSize>, 'units'>,
): void {
  if (units !== undefined && !units.includes(model.price?.unit ?? ''))
    throw unsupportedModel(catalogue, { scope, model, units });
}
