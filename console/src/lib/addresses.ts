// Where the page and its gateway are: the page names its base, which may lie under a path prefix, and its API.
const base = new URL(document.baseURI);

/** Path of the console or the portal without its last slash, for the router. */
export const consolePath = base.pathname.replace(/\/$/, '');

/** Address of the gateway without a last slash, as clients use it. */
export const gatewayUrl = new URL('..', base).href.replace(/\/$/, '');

/** Address of the API that the page talks to: the operator API, or the portal's. */
export const apiUrl = `${gatewayUrl}${namedByPage('api-path') ?? '/operator/v1'}`;

/** What the page says about itself in its head; undefined: nothing. */
export function namedByPage(name: string): string | undefined {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? undefined;
}
