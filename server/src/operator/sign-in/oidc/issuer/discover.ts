// Reads what an issuer publishes about itself (OpenID Connect Discovery 1.0) and makes the configuration of openid-client
// from it. This file and code-flow.ts alone load that library, and only where an issuer is set.
import * as client from 'openid-client';
import { OidcFailure } from '../oidc-failure.ts';
import { isSafeAddress, type OidcSettings } from '../oidc-settings.ts';
import { failureOf } from './failure-of.ts';

const ADDRESSES = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const;
const NEEDED: readonly string[] = ADDRESSES.slice(0, 3);
/** How far the clocks of issuer and gateway may be apart. */
const TOLERANCE_SECONDS = 60;

export interface Discovery {
  settings: OidcSettings;
  fetch: client.CustomFetch;
  /** What the gateway's clock is ahead of the machine's. */
  skewSeconds: number;
}

/** Rejects with OidcFailure. */
export async function discover(wanted: Discovery): Promise<client.Configuration> {
  const configuration = await configure(wanted).catch((error: unknown) => {
    throw failureOf(error, 'unreachable', `the metadata of ${wanted.settings.issuer} cannot be used`);
  });
  const metadata = configuration.serverMetadata();
  for (const name of ADDRESSES) {
    const address = metadata[name];
    if (address === undefined ? NEEDED.includes(name) : !isSafeAddress(address))
      throw unusable(`"${name}" is not an https address`);
  }
  return configuration;
}

async function configure({ settings, fetch, skewSeconds }: Discovery): Promise<client.Configuration> {
  const { issuer, clientId, clientSecret } = settings;
  let published: client.ServerMetadata | undefined;
  const authenticate: client.ClientAuth = (...call) =>
    authenticationOf(clientSecret, published?.token_endpoint_auth_methods_supported)(...call);
  const times = { [client.clockSkew]: skewSeconds, [client.clockTolerance]: TOLERANCE_SECONDS };
  const discoverAt = (address: string): Promise<client.Configuration> =>
    client.discovery(new URL(address), clientId, times, authenticate, {
      [client.customFetch]: fetch,
      // `fetch` refuses every plain address but those of this machine; signatures are checked whatever the transport.
      execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
    });
  const configuration = await discoverAt(issuer).catch((error: unknown) => {
    const slashed = otherwiseSlashed(error, issuer);
    if (slashed === undefined) throw error;
    return discoverAt(slashed);
  });
  published = configuration.serverMetadata();
  return configuration;
}

/** By header, unless the issuer names only the other method. */
function authenticationOf(secret: string | undefined, methods = ['client_secret_basic']): client.ClientAuth {
  if (secret === undefined) return client.None();
  const inBody = !methods.includes('client_secret_basic') && methods.includes('client_secret_post');
  return inBody ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret);
}

/** Some issuers end with a slash and operators leave it out; nothing else may differ. */
function otherwiseSlashed(error: unknown, issuer: string): string | undefined {
  const published = (error as { cause?: { body?: { issuer?: unknown } } }).cause?.body?.issuer;
  if (typeof published !== 'string' || published === issuer) return undefined;
  return withoutSlash(published) === withoutSlash(issuer) ? published : undefined;
}

function withoutSlash(issuer: string): string {
  return issuer.replace(/\/$/, '');
}

function unusable(why: string): OidcFailure {
  return new OidcFailure('unreachable', `the metadata of the issuer cannot be used: ${why}`);
}
