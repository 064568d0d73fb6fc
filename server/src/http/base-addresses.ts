// The two base addresses of the spec (sections 1 and 9): either may carry a path prefix, both serve every path. Says which
// one a request came by, and takes the prefix off.
export interface BaseAddress {
  /** As given, without a trailing slash. */
  url: string;
  host: string;
  /** '' or '/prefix'. */
  prefix: string;
}

export interface Arrival {
  /** Path and query without the prefix. */
  url: string;
  legacy: boolean;
}

/** When the legacy address was given up for the new one: the day this gateway was first released. */
const DEPRECATED_SINCE = Math.floor(Date.UTC(2026, 10, 15) / 1000);

export class BaseAddresses {
  readonly #base: BaseAddress | undefined;
  readonly #legacy: BaseAddress | undefined;

  constructor(base: BaseAddress | undefined, legacy: BaseAddress | undefined) {
    this.#base = base;
    this.#legacy = legacy;
  }

  /** The longer prefix that fits is meant; host decides between equal ones. Proxies may rewrite the host, prefixes stay. */
  arrive(url: string, host: string | undefined): Arrival {
    const base = this.#rest(url, this.#base);
    const legacy = this.#rest(url, this.#legacy);
    if (legacy !== undefined && this.#isLegacy(host, base !== undefined)) return { url: legacy, legacy: true };
    return { url: base ?? url, legacy: false };
  }

  /** Headers on every answer at the legacy address (contract 1). */
  legacyHeaders(path: string): Record<string, string> {
    const deprecation = { Deprecation: `@${DEPRECATED_SINCE}` };
    if (this.#base === undefined) return { ...deprecation, Link: `<${path}>; rel="successor-version"` };
    return { ...deprecation, Link: `<${this.#base.url}${path}>; rel="successor-version"` };
  }

  #rest(url: string, address: BaseAddress | undefined): string | undefined {
    return address === undefined ? undefined : without(url, address.prefix);
  }

  #isLegacy(host: string | undefined, fitsBase: boolean): boolean {
    const legacyPrefix = this.#legacy?.prefix ?? '';
    const basePrefix = fitsBase ? (this.#base?.prefix ?? '') : '';
    if (legacyPrefix.length !== basePrefix.length) return legacyPrefix.length > basePrefix.length;
    return sameHost(host, this.#legacy?.host ?? '');
  }
}

function without(url: string, prefix: string): string | undefined {
  if (prefix === '') return url;
  if (!url.startsWith(prefix)) return undefined;
  const rest = url.slice(prefix.length);
  if (rest === '') return '/';
  if (rest.startsWith('/')) return rest;
  return rest.startsWith('?') ? `/${rest}` : undefined;
}

function sameHost(host: string | undefined, expected: string): boolean {
  return host?.toLowerCase() === expected.toLowerCase();
}
