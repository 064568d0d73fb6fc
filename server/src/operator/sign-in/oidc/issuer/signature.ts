// Signatures of JSON web tokens (RFC 7515, 7518, 8037), checked with public keys alone. What a token says about itself
// decides nothing: its algorithm must be one of these, and the key one made for it.
import { constants, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';

/** As issuers publish them. */
export interface IssuerKey {
  kty: string;
  crv?: string | undefined;
  kid?: string | undefined;
  use?: string | undefined;
  alg?: string | undefined;
  [name: string]: unknown;
}

export interface TokenHead {
  alg: string;
  kid?: string | undefined;
}

interface Algorithm {
  kty: string;
  crv?: string;
  digest: string | null;
  options: object;
}

const { RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING, RSA_PSS_SALTLEN_DIGEST } = constants;
const LEAST_RSA_BITS = 2048; // RFC 7518, section 3.3

/** No `none`, and nothing with a shared secret: an issuer's public key must never pass for one. */
const ALGORITHMS: ReadonlyMap<string, Algorithm> = new Map([
  ['RS256', { kty: 'RSA', digest: 'sha256', options: { padding: RSA_PKCS1_PADDING } }],
  [
    'PS256',
    { kty: 'RSA', digest: 'sha256', options: { padding: RSA_PKCS1_PSS_PADDING, saltLength: RSA_PSS_SALTLEN_DIGEST } },
  ],
  ['ES256', { kty: 'EC', crv: 'P-256', digest: 'sha256', options: { dsaEncoding: 'ieee-p1363' } }],
  ['EdDSA', { kty: 'OKP', crv: 'Ed25519', digest: null, options: {} }],
]);

export function isKnownAlgorithm(name: string): boolean {
  return ALGORITHMS.has(name);
}

/** Whether one of the keys made this signature. */
export function isSignedByOne(
  keys: readonly IssuerKey[],
  head: TokenHead,
  { content, signature }: { content: string; signature: Buffer },
): boolean {
  const algorithm = ALGORITHMS.get(head.alg);
  if (algorithm === undefined) return false;
  const bytes = Buffer.from(content);
  return keys.some((key) => {
    const publicKey = fits(key, head, algorithm) ? readKey(key) : undefined;
    return (
      publicKey !== undefined && verify(algorithm.digest, bytes, { key: publicKey, ...algorithm.options }, signature)
    );
  });
}

function fits(key: IssuerKey, { alg, kid }: TokenHead, { kty, crv }: Algorithm): boolean {
  return (
    key.kty === kty &&
    (crv === undefined || key.crv === crv) &&
    (key.use === undefined || key.use === 'sig') &&
    (key.alg === undefined || key.alg === alg) &&
    (kid === undefined || key.kid === undefined || key.kid === kid)
  );
}

/** undefined when it is broken or too weak; another key may still do. */
function readKey(key: IssuerKey): KeyObject | undefined {
  try {
    const publicKey = createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
    const { modulusLength = LEAST_RSA_BITS } = publicKey.asymmetricKeyDetails ?? {};
    return modulusLength < LEAST_RSA_BITS ? undefined : publicKey;
  } catch {
    return undefined;
  }
}
