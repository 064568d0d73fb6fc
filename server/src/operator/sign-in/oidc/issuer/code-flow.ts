// The authorization code flow with PKCE (RFC 7636), state and nonce, by openid-client: the address that the browser goes to,
// and the exchange of the code that it brings back for claims about the person.
import * as client from 'openid-client';
import { OidcFailure } from '../oidc-failure.ts';
import { failureOf } from './failure-of.ts';

export interface StartedFlow {
  state: string;
  nonce: string;
  verifier: string;
}

export interface Claims {
  sub: string;
  [name: string]: unknown;
}

/** Of an ID token. */
export interface IdClaims extends Claims {
  iss: string;
}

export async function startFlow(
  configuration: client.Configuration,
  { redirectUri, scope }: { redirectUri: string; scope: string },
): Promise<StartedFlow & { address: string }> {
  const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
  const { href: address } = client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  return { address, state, nonce, verifier };
}

export interface Exchange {
  /** The very address that the browser was sent back to. */
  callback: URL;
  started: StartedFlow;
}

/** Rejects with OidcFailure. */
export async function exchangeCode(
  configuration: client.Configuration,
  { callback, started }: Exchange,
): Promise<{ claims: IdClaims; accessToken: string }> {
  try {
    const tokens = await client.authorizationCodeGrant(configuration, callback, {
      expectedState: started.state,
      expectedNonce: started.nonce,
      pkceCodeVerifier: started.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new OidcFailure('refused', 'the issuer gave no ID token for the code');
    // Beyond what the library asks: a party that is named must be this client, and a person has a name.
    if (claims.azp !== undefined && claims.azp !== configuration.clientMetadata().client_id)
      throw new OidcFailure('invalid', 'the ID token was given to another client ("azp")');
    if (claims.sub === '') throw new OidcFailure('invalid', 'the ID token names nobody ("sub")');
    return { claims, accessToken: tokens.access_token };
  } catch (error) {
    throw exchangeFailure(error);
  }
}

/** Where the claims are that an issuer leaves out of its ID tokens; undefined where it has no such endpoint. */
export async function fetchUserInfo(
  configuration: client.Configuration,
  { accessToken, subject }: { accessToken: string; subject: string },
): Promise<Claims | undefined> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return undefined;
  try {
    return await client.fetchUserInfo(configuration, accessToken, subject);
  } catch (error) {
    throw failureOf(error, 'invalid', 'the user info of the issuer cannot be used');
  }
}

function exchangeFailure(error: unknown): OidcFailure {
  if (error instanceof client.AuthorizationResponseError)
    return new OidcFailure(
      error.error === 'access_denied' ? 'cancelled' : 'refused',
      `the issuer sent the browser back with ${shown(error.error)}`,
    );
  // The code was too old or used before: trying again helps. Everything else is for the operator to mend.
  if (error instanceof client.ResponseBodyError)
    return new OidcFailure(
      error.error === 'invalid_grant' ? 'expired' : 'refused',
      `the issuer gave no ID token for the code: status ${error.status}, ${shown(error.error)}`,
    );
  if (error instanceof client.WWWAuthenticateChallengeError)
    return new OidcFailure('refused', `the issuer gave no ID token for the code: status ${error.status}`);
  return failureOf(error, 'invalid', 'the answer of the issuer was not accepted');
}

function shown(word: string): string {
  return JSON.stringify(word.slice(0, 100));
}
