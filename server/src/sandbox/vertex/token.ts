// POST /token of Google's authorization server, for the assertion of a service account (RFC 7523).
import { verify } from 'node:crypto';
import type { TokenIssuer } from '../clouds/token-issuer.ts';
import { readTokenForm } from '../clouds/token-form.ts';
import { isObject } from '../fields/refuse.ts';
import { sendWhole } from '../http/send-whole.ts';
import type { Call } from '../protocol.ts';

const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const audience = 'https://oauth2.googleapis.com/token';
const longestSeconds = 3600;

export function createGoogleToken(issuer: TokenIssuer) {
  return async (call: Call): Promise<void> => {
    const form = readTokenForm(call);
    const problem = judge(form, issuer, call.now);
    if (problem !== undefined) {
      const [error, error_description] = problem;
      return sendWhole(call.exchange, { status: 400, body: { error, error_description } }, call.behaviour);
    }
    const { token, seconds } = issuer.give(call.now);
    const body = { access_token: token, expires_in: seconds, token_type: 'Bearer' };
    await sendWhole(call.exchange, { body }, call.behaviour);
  };
}

function judge(
  form: URLSearchParams,
  issuer: TokenIssuer,
  now: number,
): [error: string, description: string] | undefined {
  if (form.get('grant_type') !== grant) return ['unsupported_grant_type', 'Invalid grant_type: '];
  const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
  const parsed = decode(claims);
  if (parsed === undefined || decode(head)?.['alg'] !== 'RS256') return ['invalid_request', 'Bad Request'];
  const account = issuer.publicKey() === undefined ? undefined : issuer.serviceAccount();
  const key = issuer.publicKey();
  if (key === undefined || parsed['iss'] !== account?.['client_email'])
    return ['invalid_grant', 'Invalid grant: account not found'];
  if (!verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url')))
    return ['invalid_grant', 'Invalid JWT Signature.'];
  const [from, until, at] = [Number(parsed['iat']), Number(parsed['exp']), now / 1000];
  if (parsed['aud'] !== audience || until - from > longestSeconds || until < at || from > at + 60)
    return [
      'invalid_grant',
      'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.',
    ];
  const hasScope = String(parsed['scope']).split(' ').includes('https://www.googleapis.com/auth/cloud-platform');
  return hasScope ? undefined : ['invalid_scope', 'Invalid OAuth scope or ID token audience provided.'];
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
