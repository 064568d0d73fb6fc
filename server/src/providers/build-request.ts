// The only place that makes a request to an upstream: address, headers, body, limits and mask, signed by its provider.
import type { Operation, RelayRequest, RequestTarget } from '../protocols/protocol.ts';
import { type Clock, systemClock } from '../shared/clock.ts';
import type { SecretMask } from '../shared/secret-mask.ts';
import type { CallLimits, UpstreamRequest } from './call-upstream.ts';
import type { SignedHeaders, UnsignedRequest } from './credentials/sign.ts';
import { addressUnder, type Provider } from './provider.ts';
import { unsent, UpstreamError } from './upstream-error.ts';

export type SigningProvider = Pick<Provider, 'sign' | 'headers'>;

/** What of a channel and its key the request needs. */
export interface UpstreamAccess {
  channel: { facts: { baseUrl: string; headers: Readonly<Record<string, string>>; options: CallLimits } };
  key: { secret: string };
}

export interface RequestPlan {
  method: UpstreamRequest['method'];
  /** Path and query under the channel's base address. */
  path: string;
  /** Win over the channel's and the provider's. */
  headers: Readonly<Record<string, string>>;
  body: UpstreamRequest['body'];
  /** The channel's where they are absent. */
  limits?: CallLimits;
  /** What must not be seen in the answer. */
  mask: SecretMask | undefined;
}

/** How a request is written for an upstream: its name of the model, the channel's filter and the provider's own fields. */
export function requestTarget(
  { rewrites }: Pick<Provider, 'rewrites'>,
  { operation, request }: { operation: Operation; request: Pick<RelayRequest, 'stream' | 'headers'> },
  target: Pick<RequestTarget, 'upstreamModel' | 'dropFields'>,
): RequestTarget {
  const rewrite = rewrites?.[operation];
  if (rewrite === undefined) return target;
  return { ...target, rewrite: typeof rewrite === 'function' ? rewrite(request) : rewrite };
}

/** A promise only where the signature has to wait. Throws, or rejects with, an UpstreamError when it cannot be signed. */
export function buildUpstreamRequest(
  provider: SigningProvider,
  { channel: { facts }, key }: UpstreamAccess,
  { method, path, headers, body, limits = facts.options, mask }: RequestPlan,
  clock: Clock = systemClock,
): UpstreamRequest | Promise<UpstreamRequest> {
  const request: UpstreamRequest = {
    ...addressUnder(facts.baseUrl, path),
    method,
    headers: { ...facts.headers, ...provider.headers, ...headers, 'accept-encoding': 'identity' },
    body,
    limits,
    mask,
  };
  const signed = signHeaders(provider, request, { credential: key.secret, clock });
  return signed instanceof Promise ? signed.then((added) => withHeaders(request, added)) : withHeaders(request, signed);
}

/** For requests that are not made here: links on a channel's own origin. */
export function signHeaders(
  { sign }: Pick<Provider, 'sign'>,
  request: UnsignedRequest,
  { credential, clock = systemClock }: { credential: string; clock?: Clock },
): SignedHeaders | Promise<SignedHeaders> {
  try {
    const signed = sign(request, credential, clock);
    return signed instanceof Promise ? signed.catch(failed) : signed;
  } catch (error) {
    return failed(error);
  }
}

function withHeaders(request: UpstreamRequest, added: SignedHeaders): UpstreamRequest {
  Object.assign(request.headers, added);
  return request;
}

/** A credential that cannot be used is one that the upstream does not accept. */
function failed(error: unknown): never {
  if (error instanceof UpstreamError) throw unsent(error);
  throw unsent(new UpstreamError('unauthorised', 'the request cannot be signed', { cause: error }));
}
