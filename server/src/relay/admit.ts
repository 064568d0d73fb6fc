// May it? What decides whether a request is served, in the order in which callers are answered. The head was checked before
// the body was read: token, origin and address (access/authenticate.ts). Here follow model and group, rate, price unit,
// stored objects, operation and route. Money comes last: it is held by hold-money.ts, or with its row by a new task.
// Relay, tasks, token counts, quotes, batches and realtime sessions all ask here.
import type { Principal } from '../access/principal.ts';
import type { RateGrant, RateLimiter } from '../access/rate-limit/rate-limiter.ts';
import { estimateInput, type TextSize } from '../billing/estimate.ts';
import type { Catalogue, ChannelFacts, Model } from '../catalogue/catalogue.ts';
import { channelsCarrying, modelAccess, reachesChannel } from '../catalogue/visible-models.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { Protocol, RelayRequest } from '../protocols/protocol.ts';
import { findProvider, serves } from '../providers/registry.ts';
import { isChargedBy, type VideoUnit } from '../providers/video-provider.ts';
import type { ObjectRule, Router, RouteRequest } from '../routing/candidates.ts';
import type { Route } from '../routing/route.ts';
import type { UpstreamObjects } from '../store/queries/upstream-objects.ts';
import type { ClientReply, RelayCall } from './call.ts';
import { dropUnpriced } from './drop-unpriced.ts';
import { ruleOfObjects } from './stored/owned-objects.ts';
import { refuseDropped } from './translate.ts';
import { unsupportedModel } from './unsupported-model.ts';

export interface AdmitDependencies {
  catalogue: LiveCatalogue;
  limiter: RateLimiter;
  router: Router;
}

export type AdmitCall = Pick<RelayCall, 'requestId' | 'endpoint' | 'principal' | 'affinity'> & {
  reply: Pick<ClientReply, 'setHeader'>;
};

/** A relayed request, as far as that decides. */
export interface Asked {
  protocol: Pick<Protocol, 'operation' | 'units'>;
  request: RelayRequest;
  /** The caller would rather be refused than lose a field. */
  strict: boolean;
}

/** A request that is served: end its grant when it is over, whatever happens. */
export interface Admitted {
  /** What was decided by; the request is priced by the same. */
  catalogue: Catalogue;
  model: Model;
  /** undefined for a token without a rate policy. */
  grant: RateGrant | undefined;
  route: Route;
}

const VIDEO_UNITS: readonly VideoUnit[] = ['second', 'video_tokens', 'reported'];
/** What a response of a realtime session can be charged by. */
const REALTIME_UNITS: readonly string[] = ['tokens', 'request'];
/** A task counts as a request; its tokens are not those of a rate policy. */
const NO_TEXT: TextSize = { inputBytes: 0, mediaCount: 0, maxOutputTokens: 0, choices: 1 };

/** With the request as it may be sent. Throws what the caller is answered when it is not served. */
export async function admit(
  dependencies: AdmitDependencies & { objects: Pick<UpstreamObjects, 'find'> },
  call: AdmitCall,
  asked: Asked,
): Promise<Admitted & { request: RelayRequest }> {
  const catalogue = dependencies.catalogue.current;
  const { model, request } = admitModel(catalogue, call.principal, asked);
  const { operation, units } = asked.protocol;
  const { principal } = call;
  const findRule = () => ruleOfObjects(dependencies.objects, { catalogue, principal, request, model, operation });
  const admitted = await admitRoute(dependencies, call, {
    catalogue,
    model,
    size: request,
    operation,
    serves,
    units,
    findRule,
  });
  return { ...admitted, request };
}

/** A token count: free, and answered without any channel where none has an answer. */
export async function admitCount(
  dependencies: AdmitDependencies & { objects: Pick<UpstreamObjects, 'find'> },
  call: AdmitCall,
  { protocol: { operation }, request }: Omit<Asked, 'strict'>,
): Promise<Admitted> {
  const catalogue = dependencies.catalogue.current;
  const { principal } = call;
  const { model } = modelAccess(catalogue, principal, request.model);
  const findRule = () => ruleOfObjects(dependencies.objects, { catalogue, principal, request, model, operation });
  return admitRoute(dependencies, call, {
    catalogue,
    model,
    size: request,
    operation,
    serves,
    units: undefined,
    findRule,
  });
}

/** Which channels may be asked for what a request for a video names. */
export type VideoRule = (facts: {
  catalogue: Catalogue;
  serves(channel: ChannelFacts): boolean;
}) => ObjectRule | undefined;

/** A video task: needs a channel whose provider makes videos and can be charged by the model's price. */
export async function admitVideo(
  dependencies: AdmitDependencies,
  call: AdmitCall,
  modelId: string,
  rule?: VideoRule,
): Promise<Admitted> {
  const catalogue = dependencies.catalogue.current;
  const { model } = modelAccess(catalogue, call.principal, modelId);
  const video = { operation: 'video', serves: servesVideo(model), units: VIDEO_UNITS };
  const findRule = () => rule?.({ catalogue, serves: video.serves });
  return admitRoute(dependencies, call, { catalogue, model, size: NO_TEXT, ...video, findRule });
}

/** A realtime session: it counts as a request, and each of its responses as one more (relay/realtime). */
export async function admitSession(
  dependencies: AdmitDependencies,
  call: AdmitCall,
  modelId: string,
): Promise<Admitted> {
  const catalogue = dependencies.catalogue.current;
  const { model } = modelAccess(catalogue, call.principal, modelId);
  const session = { operation: 'realtime', serves, units: REALTIME_UNITS } as const;
  return admitRoute(dependencies, call, { catalogue, model, size: NO_TEXT, ...session });
}

/** A quote: nothing is counted and no channel is asked, so none need be up. */
export function admitQuote(
  catalogue: Catalogue,
  principal: Principal,
  asked: Asked,
): { model: Model; request: RelayRequest } {
  const admitted = admitModel(catalogue, principal, asked);
  checkUnit(catalogue, principal, admitted.model, asked.protocol.units);
  return admitted;
}

/** A quote of a video, whose price depends on the channel: one that would serve it. */
export function admitVideoQuote(
  catalogue: Catalogue,
  principal: Principal,
  modelId: string,
): { model: Model; channel: ChannelFacts } {
  const { model } = modelAccess(catalogue, principal, modelId);
  const isServed = servesVideo(model);
  const channel = channelsCarrying(catalogue, model.id).find((one) => reachesChannel(principal, one) && isServed(one));
  if (channel === undefined) throw unsupportedModel(catalogue, { scope: principal, model, units: VIDEO_UNITS });
  return { model, channel };
}

/** Model and group; then the request as this model may be sent it. */
function admitModel(
  catalogue: Catalogue,
  principal: Principal,
  { request, strict }: Asked,
): { model: Model; request: RelayRequest } {
  const { model } = modelAccess(catalogue, principal, request.model);
  const priced = dropUnpriced(request, model);
  if (strict) refuseDropped(priced);
  return { model, request: priced };
}

interface RoutedRequest extends Pick<RouteRequest, 'operation' | 'serves'> {
  catalogue: Catalogue;
  model: Model;
  size: TextSize;
  /** The price units that the endpoint can charge by; undefined where nothing is charged and no channel is needed. */
  units: readonly string[] | undefined;
  findRule?: () => undefined | ObjectRule | Promise<ObjectRule>;
}

async function admitRoute(
  { limiter, router }: AdmitDependencies,
  call: AdmitCall,
  { catalogue, model, size, operation, serves: isServed, units, findRule }: RoutedRequest,
): Promise<Admitted> {
  const { principal, affinity } = call;
  const rated = principal.rateSubjects.length === 0 ? undefined : limiter.admit(call, estimateInput(size));
  const grant = rated instanceof Promise ? await rated : rated;
  try {
    checkUnit(catalogue, principal, model, units);
    const naming = findRule?.();
    const objects = naming === undefined ? undefined : await naming;
    const { group, mode, accountId } = principal;
    const wanted = {
      model: model.id,
      group,
      mode,
      accountId,
      operation,
      serves: isServed,
      ...(objects && { objects }),
    };
    const route = router.route(catalogue, wanted, affinity);
    if (units !== undefined && route.isUnsupported)
      throw unsupportedModel(catalogue, { scope: principal, model, units });
    if (units !== undefined && route.hasNoUsableChannel) throw route.exhausted();
    return { catalogue, model, grant, route };
  } catch (error) {
    grant?.end();
    throw error;
  }
}

function checkUnit(catalogue: Catalogue, scope: Principal, model: Model, units: readonly string[] | undefined): void {
  if (units !== undefined && !units.includes(model.price?.unit ?? ''))
    throw unsupportedModel(catalogue, { scope, model, units });
}

function servesVideo({ price }: Model): (channel: { provider: string }) => boolean {
  return ({ provider }) => {
    const video = findProvider(provider)?.video;
    return video !== undefined && isChargedBy(video, price?.unit);
  };
}
