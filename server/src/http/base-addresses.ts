// The two base addresses of the spec (sections 1 and 9): either may carry a path prefix, both serve every path. Says which
// one a request came by, and takes the prefix off.
export interface BaseAddress {
  url: string;
  host: string;
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

  /** Host decides between addresses of the same prefix; else the prefix does, since proxies may rewrite the host. */
  arrive(url: string, host: string | undefined): Arrival {
    const legacy = this.#legacy;
    const base = this.#base;
    if (legacy !== undefined) {
      const rest = without(url, legacy.prefix);
      const tellsApart = legacy.prefix !== '' && legacy.prefix !== base?.prefix;
      if (rest !== undefined && (tellsApart ? !this.#isLongerBase(url) : sameHost(host, legacy.host)))
        return { url: rest, legacy: true };
    }
    const rest = base === undefined ? undefined : without(url, base.prefix);
    return { url: rest ?? url, legacy: false };
  }

  /** Headers on every answer at the legacy address (contract 1). */
  legacyHeaders(path: string): Record<string, string> {
    const deprecation = { Deprecation: `@${DEPRECATED_SINCE}` };
    if (this.#base === undefined) return { ...deprecation, Link: `<${path}>; rel="successor-version"` };
    return { ...deprecation, Link: `<${this.#base.url}${path}>; rel="successor-version"` };
  }

  /** `/old` and `/old/new` as prefixes: the longer one is meant where it fits. */
  #isLongerBase(url: string): boolean {
    const base = this.#base;
    return (
      base !== undefined &&
      base.prefix.length > (this.#legacy?.prefix.length ?? 0) &&
      without(url, base.prefix) !== undefined
    );
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
