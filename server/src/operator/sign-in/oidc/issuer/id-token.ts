// Checks an ID token as OpenID Connect Core 1.0, section 3.1.3.7, asks: signature, issuer, audience, times, nonce.
import { z } from 'zod';
import { OidcFailure } from '../oidc-failure.ts';
import { isKnownAlgorithm, isSignedByOne, type IssuerKey } from './signature.ts';

/** How far the clocks of issuer and gateway may be apart. */
const SKEW_SECONDS = 60;

const head = z.object({ alg: z.string(), kid: z.string().optional(), crit: z.unknown().optional() });
const claims = z.object({
  iss: z.string(),
  sub: z.string().min(1),
  aud: z.union([z.string(), z.array(z.string())]),
  azp: z.string().optional(),
  exp: z.number(),
  iat: z.number(),
  nbf: z.number().optional(),
  nonce: z.string().optional(),
  email: z.string().optional().catch(undefined),
  email_verified: z.boolean().optional().catch(undefined),
});

export type IdTokenClaims = z.infer<typeof claims>;

export interface IdTokenExpectations {
  issuer: string;
  clientId: string;
  nonce: string;
  /** Unix seconds. */
  at: number;
  /** Those that are known, or those that the issuer has just now. */
  keys(freshness: 'known' | 'fresh'): Promise<readonly IssuerKey[]>;
}

export async function checkIdToken(token: string, expected: IdTokenExpectations): Promise<IdTokenClaims> {
  const [headText = '', claimsText = '', signatureText = '', ...rest] = token.split('.');
  const readHead = head.safeParse(readPart(headText));
  if (rest.length > 0 || !readHead.success) throw refuse('is not a signed JSON web token');
  const { alg, kid, crit } = readHead.data;
  if (!isKnownAlgorithm(alg)) throw refuse('is signed by an algorithm that is not accepted');
  if (crit !== undefined) throw refuse('has critical extensions, and none is known'); // RFC 7515, section 4.1.11

  const signed = { content: `${headText}.${claimsText}`, signature: Buffer.from(signatureText, 'base64url') };
  const isGenuine =
    isSignedByOne(await expected.keys('known'), { alg, kid }, signed) ||
    isSignedByOne(await expected.keys('fresh'), { alg, kid }, signed); // the issuer may have changed its keys
  if (!isGenuine) throw refuse('is signed by no key of the issuer');

  const readClaims = claims.safeParse(readPart(claimsText));
  if (!readClaims.success) throw refuse(`lacks a good "${readClaims.error.issues[0]?.path.join('.') ?? 'claim'}"`);
  refuseOthers(readClaims.data, expected);
  refuseOtherTimes(readClaims.data, expected.at);
  return readClaims.data;
}

/** A token for somebody else, or for another sign-in. */
function refuseOthers({ iss, aud, azp, nonce }: IdTokenClaims, expected: IdTokenExpectations): void {
  if (iss !== expected.issuer) throw refuse('comes from another issuer');
  const audiences = typeof aud === 'string' ? [aud] : aud;
  if (!audiences.includes(expected.clientId)) throw refuse('is for another client');
  const mustNameParty = audiences.length > 1 || azp !== undefined;
  if (mustNameParty && azp !== expected.clientId) throw refuse('was given to another client');
  if (nonce !== expected.nonce) throw refuse('belongs to another sign-in');
}

function refuseOtherTimes({ exp, iat, nbf }: IdTokenClaims, at: number): void {
  if (exp <= at - SKEW_SECONDS) throw refuse('is over; compare the clocks of issuer and gateway');
  if (iat > at + SKEW_SECONDS || (nbf !== undefined && nbf > at + SKEW_SECONDS))
    throw refuse('is of the future; compare the clocks of issuer and gateway');
}

function readPart(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

function refuse(why: string): OidcFailure {
  return new OidcFailure('invalid', `the ID token ${why}`);
}
