// Credentials that are a pair of keys: the access key is named in a short-lived JWT, the secret key signs it (HS256). A
// credential without a colon is one plain key, sent as a bearer token.
import { createHmac } from 'node:crypto';
import type { Sign } from './sign.ts';

const LIFE_SECONDS = 1_800;
/** Clocks differ a little. */
const BACKDATE_SECONDS = 5;
/** A token is not sent when so little of its life is left. */
const LEAST_LEFT_SECONDS = 60;
const MOST_KEPT = 1_000;

interface Token {
  text: string;
  endsAt: number;
}

const tokens = new Map<string, Token>();

/** `ACCESS:SECRET`, or `ACCESS|SECRET` as some gateways write it. */
export const keyPairJwt: Sign = (_request, credential, clock) => {
  if (credential === '') return {};
  const [, access, secret] = /^([^:|]+)[:|](.+)$/.exec(credential) ?? [];
  if (access === undefined || secret === undefined) return { authorization: `Bearer ${credential}` };
  const now = Math.floor(clock.now() / 1000);
  const known = tokens.get(credential);
  const isGood = known !== undefined && known.endsAt - now >= LEAST_LEFT_SECONDS && known.endsAt <= now + LIFE_SECONDS;
  const token = isGood ? known : { text: writeToken(access, secret, now), endsAt: now + LIFE_SECONDS };
  if (!isGood) {
    if (tokens.size >= MOST_KEPT) tokens.clear();
    tokens.set(credential, token);
  }
  return { authorization: `Bearer ${token.text}` };
};

function writeToken(access: string, secret: string, now: number): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: access, exp: now + LIFE_SECONDS, nbf: now - BACKDATE_SECONDS };
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
