// Calls addresses that others have given us: links to results, webhooks. Reaches only public addresses and hosts that the
// operator trusts; looked at when the connection is made, so that a name cannot change its mind in between.
import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import type { CallLimits, UpstreamHeaders } from '../upstream-request.ts';
import type { SignedHeaders, UnsignedRequest } from '../credentials/sign.ts';
import { type ChooseProxy, noProxies } from '../egress/proxies.ts';
import { tunnelThrough } from '../egress/tunnel.ts';
import { Agent, request } from '../../shared/runtime/undici.ts';
import { classOfFailure, UpstreamError } from '../upstream-error.ts';
import { isPublicAddress } from './public-address.ts';
import { hostAndPort, TrustedHosts } from './trusted-hosts.ts';

export interface GuardedCall {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: Buffer;
  /** The channel that the address came from: reachable wherever it is, and the only one to get its own credentials. */
  own?: { baseUrl: string; sign?(request: UnsignedRequest): SignedHeaders | Promise<SignedHeaders> };
  /** Of the channel; the environment's where it is absent. */
  proxy?: string | undefined;
  /** How many redirects are followed, each guarded as the first address. */
  redirects: number;
  limits: CallLimits;
  signal?: AbortSignal;
}

export interface GuardedAnswer {
  status: number;
  headers: UpstreamHeaders;
  body: Readable;
}

/** The address is none that may be called. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
}

export type Lookup = (name: string, callback: (error: Error | null, addresses: LookupAddress[]) => void) => void;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const REFUSED = 'ADDRESS_REFUSED';
const CONNECT_MS = 10_000;
const SETTINGS = { connections: 64, keepAliveTimeout: 4_000, pipelining: 1 };
const lookupAll: Lookup = (name, callback) => systemLookup(name, { all: true }, callback);

export interface GuardedSettings {
  privateHosts: readonly string[];
  lookup?: Lookup;
  chooseProxy?: ChooseProxy;
}

export class GuardedClient {
  readonly #trusted: TrustedHosts;
  /** Connections of the two are never mixed: one to a trusted host must not serve who may not reach it. */
  readonly #open: Agent;
  readonly #guarded: Agent;
  /** The same through proxies. */
  readonly #tunnels = new Map<string, Agent>();
  readonly #chooseProxy: ChooseProxy;
  readonly #lookup: Lookup;

  constructor({ privateHosts, lookup = lookupAll, chooseProxy = noProxies }: GuardedSettings) {
    this.#chooseProxy = chooseProxy;
    this.#lookup = lookup;
    this.#trusted = new TrustedHosts(privateHosts);
    this.#open = new Agent({ ...SETTINGS, connect: { timeout: CONNECT_MS } });
    this.#guarded = new Agent({ ...SETTINGS, connect: { timeout: CONNECT_MS, lookup: guardedLookup(lookup) } });
  }

  /** As far as an address can be judged without asking for the addresses of a name; throws AddressRefused. */
  check(text: string): URL {
    const url = readUrl(text, undefined);
    this.#judge(url, undefined);
    return url;
  }

  /** Rejects with AddressRefused or UpstreamError. The body must be read or destroyed. */
  async call(call: GuardedCall): Promise<GuardedAnswer> {
    let url = readUrl(call.url, undefined);
    for (let left = call.redirects; ; left--) {
      const answer = await this.#callOne(url, call);
      const location = answer.headers['location'];
      if (!REDIRECTS.has(answer.status) || typeof location !== 'string' || call.redirects === 0) return answer;
      discardBody(answer.body);
      if (left === 0) throw new AddressRefused('too many redirects');
      url = readUrl(location, url);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#open, this.#guarded, ...this.#tunnels.values()].map((agent) => agent.destroy()));
  }

  async #callOne(url: URL, { method, headers, body, own, limits, signal, proxy }: GuardedCall): Promise<GuardedAnswer> {
    const ownUrl = own === undefined ? undefined : new URL(own.baseUrl);
    const agent = this.#agentFor(this.#judge(url, ownUrl), this.#chooseProxy(url.origin, proxy));
    /** Ends a call whose answer would be of another protocol. */
    const switching = new AbortController();
    try {
      const sent = { ...headers, 'accept-encoding': 'identity' };
      const { origin, pathname, search } = url;
      if (ownUrl?.origin === origin && own?.sign !== undefined)
        Object.assign(
          sent,
          await own.sign({ method, origin, path: pathname + search, headers: sent, body: body ?? null }),
        );
      const answer = await request(agent, url, {
        method,
        headers: sent,
        body: body ?? null,
        headersTimeout: limits.firstByteMs,
        bodyTimeout: limits.idleMs,
        signal: signal === undefined ? switching.signal : AbortSignal.any([signal, switching.signal]),
        onInfo: ({ statusCode }) => {
          if (statusCode === 101)
            switching.abort(new UpstreamError('malformed', 'the upstream wants another protocol'));
        },
      });
      return { status: answer.statusCode, headers: answer.headers, body: answer.body };
    } catch (error) {
      throw errorOf(error as NodeJS.ErrnoException);
    }
  }

  /** Behind a proxy the guard holds as without one: the proxy is asked for the address that was looked at, not for the name. */
  #agentFor(isTrusted: boolean, proxy: string | undefined): Agent {
    if (proxy === undefined) return isTrusted ? this.#open : this.#guarded;
    const name = `${isTrusted} ${proxy}`;
    let agent = this.#tunnels.get(name);
    if (agent === undefined) {
      const guard = isTrusted ? {} : { resolve: (host: string) => publicAddressOf(this.#lookup, host) };
      agent = new Agent({ ...SETTINGS, connect: tunnelThrough(proxy, { connectMs: CONNECT_MS, ...guard }) });
      this.#tunnels.set(name, agent);
    }
    return agent;
  }

  /** Whether it may be reached wherever it is. */
  #judge(url: URL, ownUrl: URL | undefined): boolean {
    const { host, port } = hostAndPort(url);
    const own = ownUrl === undefined ? undefined : hostAndPort(ownUrl);
    const isTrusted = (own?.host === host && own.port === port) || this.#trusted.has({ host, port });
    if (!isTrusted && isIP(host) !== 0 && !isPublicAddress(host)) throw new AddressRefused('not a public address');
    return isTrusted;
  }
}

/** Ends an answer whose body nobody wants. */
export function discardBody(body: Readable): void {
  body.on('error', () => {}); // it calls being ended an error
  body.destroy();
}

/** Only plain http and https, with no user in it. */
function readUrl(text: string, base: URL | undefined): URL {
  const url = URL.parse(text, base?.href);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) throw new AddressRefused('not an http address');
  if (url.username !== '' || url.password !== '') throw new AddressRefused('an address with a user');
  return url;
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Names resolve to their public addresses only; the connection goes to the very addresses that were looked at. */
function guardedLookup(lookup: Lookup) {
  return (name: string, options: LookupOptions, callback: LookupCallback): void => {
    lookup(name, (error, found) => {
      if (error !== null) return callback(error, []);
      const usable = found.filter(({ address }) => isPublicAddress(address));
      const [first] = usable;
      if (first === undefined) return callback(Object.assign(new Error('not a public address'), { code: REFUSED }), []);
      if (options.all === true) callback(null, usable);
      else callback(null, first.address, first.family);
    });
  };
}

/** An address stands for itself: it was judged before. */
function publicAddressOf(lookup: Lookup, host: string): Promise<string> {
  if (isIP(host) !== 0) return Promise.resolve(host);
  return new Promise((resolve, reject) => {
    const found = (error: Error | null, address: string | LookupAddress[]): void => {
      if (error === null && typeof address === 'string') resolve(address);
      else reject(error ?? new Error('no address'));
    };
    guardedLookup(lookup)(host, {}, found);
  });
}

function errorOf(error: NodeJS.ErrnoException): Error {
  if (error instanceof UpstreamError) return error;
  if (error.code === REFUSED) return new AddressRefused(error.message);
  return new UpstreamError(
    classOfFailure(error.code, error.name),
    `the connection failed (${error.code ?? error.name})`,
    {
      cause: error,
    },
  );
}
