// The only place that makes a request to an upstream: address, headers, body, limits and mask, signed by its provider.
import type { Operation, RelayRequest, RequestTarget } from '../protocols/protocol.ts';
import { type Clock, systemClock } from '../shared/clock.ts';
import { SecretMask } from '../shared/secret-mask.ts';
import type { UpstreamClient } from './call-upstream.ts';
import type { CallLimits, UpstreamRequest } from './upstream-request.ts';
import type { SignedHeaders, SigningSettings, UnsignedRequest } from './credentials/sign.ts';
import { addressUnder, type Provider } from './provider.ts';
import { unsent, UpstreamError } from './upstream-error.ts';
import type { ProviderOptions, UpstreamSettings } from './upstream-settings.ts';

export type SigningProvider = Pick<Provider, 'sign' | 'headers' | 'forget'>;

/** What of a channel and its key the request needs. */
export interface UpstreamAccess {
  channel: {
    facts: { baseUrl: string; headers: Readonly<Record<string, string>>; options: CallLimits & ProviderOptions };
  };
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
  /** By which tokens are fetched, where the credential has some. */
  client?: UpstreamClient;
}

/** Where a request goes, for what depends on it. */
export function upstreamSettings({ channel: { facts }, key }: UpstreamAccess): UpstreamSettings {
  return { baseUrl: facts.baseUrl, options: facts.options, credential: key.secret };
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
  { method, path, headers, body, limits = facts.options, mask, client }: RequestPlan,
  clock: Clock = systemClock,
): UpstreamRequest | Promise<UpstreamRequest> {
  const settings = { baseUrl: facts.baseUrl, options: facts.options, client };
  const unsigned: UpstreamRequest = {
    ...addressUnder(facts.baseUrl, path),
    method,
    headers: { ...facts.headers, ...provider.headers, ...headers, 'accept-encoding': 'identity' },
    body,
    limits,
    mask,
  };
  if (facts.options.proxy !== undefined) unsigned.proxy = facts.options.proxy;
  const credential = key.secret;
  const sign = (): UpstreamRequest | Promise<UpstreamRequest> => {
    const signed = signHeaders(provider, unsigned, { credential, clock, settings });
    return signed instanceof Promise ? signed.then(withHeaders) : withHeaders(signed);
  };
  const withHeaders = (added: SignedHeaders): UpstreamRequest => {
    if (provider.forget === undefined) {
      Object.assign(unsigned.headers, added);
      return unsigned;
    }
    const request: UpstreamRequest = { ...unsigned, headers: { ...unsigned.headers, ...added } };
    request.mask = maskWith(mask, added, credential);
    request.renew = () => (provider.forget?.(credential, settings, added) === true ? sign() : undefined);
    return request;
  };
  return sign();
}

const BEARER = /^Bearer (\S+)$/;
const masks = new WeakMap<SecretMask, { token: string; mask: SecretMask }>();

/** A token that was fetched is as secret as what it was fetched with. */
function maskWith(
  mask: SecretMask | undefined,
  { authorization = '' }: SignedHeaders,
  credential: string,
): SecretMask | undefined {
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined || token === credential) return mask;
  if (mask === undefined) return new SecretMask([token]);
  let known = masks.get(mask);
  if (known?.token !== token) {
    known = { token, mask: mask.with([token]) };
    masks.set(mask, known);
  }
  return known.mask;
}

const NOWHERE: SigningSettings = { baseUrl: '', options: {} };

/** For requests that are not made here: links on a channel's own origin. */
export function signHeaders(
  { sign }: Pick<Provider, 'sign'>,
  request: UnsignedRequest,
  {
    credential,
    clock = systemClock,
    settings = NOWHERE,
  }: { credential: string; clock?: Clock; settings?: SigningSettings },
): SignedHeaders | Promise<SignedHeaders> {
  try {
    const signed = sign(request, credential, clock, settings);
    return signed instanceof Promise ? signed.catch(failed) : signed;
  } catch (error) {
    return failed(error);
  }
}

/** A credential that cannot be used is one that the upstream does not accept. */
function failed(error: unknown): never {
  if (error instanceof UpstreamError) throw unsent(error);
  throw unsent(new UpstreamError('unauthorised', 'the request cannot be signed', { cause: error }));
}
