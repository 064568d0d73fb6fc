// Where the console and its gateway are: the page names its base, which may lie under a path prefix.
const base = new URL(document.baseURI);

/** Path of the console without its last slash, for the router. */
export const consolePath = base.pathname.replace(/\/$/, '');

/** Address of the gateway without a last slash, as clients use it. */
export const gatewayUrl = new URL('..', base).href.replace(/\/$/, '');
