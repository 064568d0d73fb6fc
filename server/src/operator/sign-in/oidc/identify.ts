// The way back from the issuer: what came with the browser becomes a person with a verified address.
import type { SignInCallback } from '#contract/oidc.ts';
import { type IdTokenClaims, checkIdToken } from './issuer/id-token.ts';
import type { Issuer } from './issuer/issuer.ts';
import { OidcFailure } from './oidc-failure.ts';
import type { StartedSignIn } from './started-sign-in.ts';

export interface Person {
  /** Verified; as the issuer writes it. */
  email: string;
  /** The issuer's own name for the person. */
  subject: string;
}

/** A browser that did not begin here is told to begin again; nobody is asked for it. */
export function requireStarted(
  started: StartedSignIn | undefined,
  { state }: SignInCallback,
): asserts started is StartedSignIn {
  if (started === undefined || state !== started.state)
    throw new OidcFailure('expired', 'the browser brought no sign-in that was begun here within ten minutes');
}

export async function identify(
  issuer: Issuer,
  started: StartedSignIn,
  { code, error, iss, at }: SignInCallback & { at: number },
): Promise<Person> {
  if (error !== undefined)
    throw new OidcFailure(
      error === 'access_denied' ? 'cancelled' : 'refused',
      `the issuer sent the browser back with ${JSON.stringify(error.slice(0, 100))}`,
    );
  const metadata = await issuer.metadata();
  if (iss !== undefined && iss !== metadata.issuer)
    throw new OidcFailure('invalid', 'another issuer sent the browser back'); // RFC 9207
  if (code === undefined) throw new OidcFailure('invalid', 'the issuer sent the browser back without a code');
  const tokens = await issuer.redeem({ code, verifier: started.verifier, redirectUri: started.redirectUri });
  const claims = await checkIdToken(tokens.id_token, {
    issuer: metadata.issuer,
    clientId: issuer.settings.clientId,
    nonce: started.nonce,
    at,
    keys: (freshness) => issuer.keys(freshness),
  });
  return { email: verifiedEmail(await withUserInfo(issuer, claims, tokens.access_token)), subject: claims.sub };
}

type AddressClaims = Pick<IdTokenClaims, 'email' | 'email_verified'>;

/** Issuers may tell the address only when asked (OpenID Connect Core 1.0, section 5.4). */
async function withUserInfo(
  issuer: Issuer,
  claims: IdTokenClaims,
  accessToken: string | undefined,
): Promise<AddressClaims> {
  const isWhole = claims.email !== undefined && claims.email_verified !== undefined;
  const reported = isWhole || accessToken === undefined ? undefined : await issuer.userInfo(accessToken);
  if (reported === undefined) return claims;
  if (reported.sub !== claims.sub) throw new OidcFailure('invalid', 'the issuer told about another person'); // section 5.3.2
  return reported;
}

function verifiedEmail({ email, email_verified }: AddressClaims): string {
  if (email === undefined || email === '') throw new OidcFailure('no_email', 'the issuer tells no "email"');
  if (email_verified !== true)
    throw new OidcFailure(
      'unverified_email',
      'the issuer does not say that the address is verified ("email_verified")',
    );
  return email;
}
