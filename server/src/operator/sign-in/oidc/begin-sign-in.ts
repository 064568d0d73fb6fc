// The way to the issuer: an authorization request with PKCE (RFC 7636), state and nonce.
import { hash } from 'node:crypto';
import { randomLetters } from '../../../shared/ids.ts';
import type { Issuer } from './issuer/issuer.ts';
import { type StartedSignIn, STARTED_SECONDS } from './started-sign-in.ts';

interface SignInRequest {
  redirectUri: string;
  to: string;
  replaces: string | null;
  at: number;
}

/** More than 256 bits each. */
const SECRET_LETTERS = 43;

export async function beginSignIn(
  issuer: Issuer,
  { redirectUri, to, replaces, at }: SignInRequest,
): Promise<{ address: string; started: StartedSignIn }> {
  const { authorizationEndpoint } = await issuer.metadata();
  const [state, nonce] = [randomLetters(SECRET_LETTERS), randomLetters(SECRET_LETTERS)];
  const verifier = randomLetters(SECRET_LETTERS);
  const address = new URL(authorizationEndpoint);
  const parameters = {
    response_type: 'code',
    client_id: issuer.settings.clientId,
    redirect_uri: redirectUri,
    scope: 'openid email',
    state,
    nonce,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return {
    address: address.href,
    started: { state, nonce, verifier, redirectUri, to, replaces, expiresAt: at + STARTED_SECONDS },
  };
}
