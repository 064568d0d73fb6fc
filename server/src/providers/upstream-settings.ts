// What of a channel and its key an address or a signature may depend on, beside the request itself.

/** Options of a channel that only some kinds of upstreams have. */
export interface ProviderOptions {
  /** Through which its calls go, tokens included; undefined = as the environment says. */
  proxy?: string | undefined;
  /** Azure's dated version of its API. */
  apiVersion?: string | undefined;
  region?: string | undefined;
  project?: string | undefined;
  location?: string | undefined;
  /** Where tokens are fetched instead of at the vendor's own address: for tests. */
  tokenUrl?: string | undefined;
}

export interface UpstreamSettings {
  baseUrl: string;
  options: ProviderOptions;
  /** `''` for a channel without keys. */
  credential: string;
}
