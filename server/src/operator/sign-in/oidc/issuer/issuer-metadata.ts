// What an issuer publishes about itself (OpenID Connect Discovery 1.0), checked: it must speak of the very issuer that the
// operator named, and every address in it must be safe.
import { z } from 'zod';
import { isSafeAddress } from '../oidc-settings.ts';
import { OidcFailure } from '../oidc-failure.ts';

const address = z.string().refine(isSafeAddress, 'is not an https address');

const published = z.object({
  issuer: z.string(),
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  userinfo_endpoint: address.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});

export interface IssuerMetadata {
  /** Exactly as it stands in tokens. */
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  keysAddress: string;
  userInfoEndpoint: string | undefined;
  /** Where the client secret goes; by header unless the issuer knows only the other way. */
  secretInBody: boolean;
}

export function metadataAddress(issuer: string): string {
  return `${withoutSlash(issuer)}/.well-known/openid-configuration`;
}

export function readMetadata(body: unknown, issuer: string): IssuerMetadata {
  const read = published.safeParse(body);
  if (!read.success) {
    const { path = [], message = '' } = read.error.issues[0] ?? {};
    throw new OidcFailure('unreachable', `the metadata of the issuer cannot be used: "${path.join('.')}" ${message}`);
  }
  const { data } = read;
  // Some issuers end with a slash and operators leave it out; nothing else may differ.
  if (withoutSlash(data.issuer) !== withoutSlash(issuer))
    throw new OidcFailure('unreachable', `the metadata at ${issuer} is that of another issuer: ${data.issuer}`);
  const methods = data.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return {
    issuer: data.issuer,
    authorizationEndpoint: data.authorization_endpoint,
    tokenEndpoint: data.token_endpoint,
    keysAddress: data.jwks_uri,
    userInfoEndpoint: data.userinfo_endpoint,
    secretInBody: !methods.includes('client_secret_basic') && methods.includes('client_secret_post'),
  };
}

function withoutSlash(issuer: string): string {
  return issuer.replace(/\/$/, '');
}
