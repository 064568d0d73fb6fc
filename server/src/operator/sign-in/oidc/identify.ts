// The last step of a sign-in: what came with the browser becomes a person with an address that somebody vouches for.
import { z } from 'zod';
import type { SignInCallback } from '#contract/oidc.ts';
import type { Claims } from './issuer/code-flow.ts';
import { entraAddress, isEntra } from './issuer/entra.ts';
import type { Issuer } from './issuer/issuer.ts';
import { OidcFailure } from './oidc-failure.ts';
import type { StartedSignIn } from './started-sign-in.ts';

export interface Person {
  /** Verified; as the issuer writes it. */
  email: string;
  /** As the ID token writes it: of Microsoft Entra ID that of the person's tenant. */
  issuer: string;
  /** The issuer's own name for the person. */
  subject: string;
}

/** Only a boolean says that an address is verified. */
const addressClaims = z.object({
  email: z.string().optional().catch(undefined),
  email_verified: z.boolean().optional().catch(undefined),
});

/** A browser that did not begin here has to begin again; nobody is asked for it. */
export function requireStarted(
  started: StartedSignIn | undefined,
  { state }: SignInCallback,
): asserts started is StartedSignIn {
  if (started === undefined || state !== started.state)
    throw new OidcFailure('expired', 'the browser brought no sign-in that was begun here within ten minutes');
}

/** `query`: everything that the issuer sent along. */
export async function identify(issuer: Issuer, started: StartedSignIn, query: URLSearchParams): Promise<Person> {
  if (!query.has('code') && !query.has('error'))
    throw new OidcFailure('invalid', 'the issuer sent the browser back without a code');
  const callback = new URL(started.redirectUri);
  callback.search = query.toString();
  const { claims, userInfo } = await issuer.exchange({ callback, started });
  const { settings } = issuer;
  const email = await (isEntra(settings.issuer) ? entraAddress(settings, claims) : verifiedAddress(claims, userInfo));
  return { email, issuer: claims.iss, subject: claims.sub };
}

/** Issuers may report the address only when asked (OpenID Connect Core 1.0, section 5.4). */
async function verifiedAddress(claims: Claims, userInfo: () => Promise<Claims | undefined>): Promise<string> {
  const inToken = addressClaims.parse(claims);
  const isWhole = inToken.email !== undefined && inToken.email_verified !== undefined;
  const { email, email_verified } = isWhole ? inToken : addressClaims.parse((await userInfo()) ?? inToken);
  if (email === undefined || email === '') throw new OidcFailure('no_email', 'the issuer reports no "email"');
  if (email_verified !== true)
    throw new OidcFailure(
      'unverified_email',
      'the issuer does not say that the address is verified ("email_verified")',
    );
  return email;
}
