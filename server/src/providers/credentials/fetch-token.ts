// One call to the address where a vendor gives out tokens (OAuth 2.0, RFC 6749): a form in, `access_token` out. What is
// sent and what comes back is never part of an error.
import { asNumber, asText, parseRecord } from '../../protocols/json/json-value.ts';
import { SecretMask } from '../../shared/secret-mask.ts';
import type { UpstreamClient } from '../call-upstream.ts';
import { classOfStatus, UpstreamError } from '../upstream-error.ts';
import type { MintedToken } from './minted-tokens.ts';
import type { SigningSettings } from './sign.ts';

export interface TokenCall {
  url: string;
  form: Readonly<Record<string, string>>;
  /** What of the form must not be seen in an error. */
  secrets: readonly string[];
}

const LIMITS = { connectMs: 5_000, firstByteMs: 15_000, idleMs: 15_000 };
const MOST_BYTES = 64 * 1024;
const DEFAULT_SECONDS = 3_600;
/** Statuses by which the vendor says that the credential is not good: 400 is `invalid_grant` or `invalid_client`. */
const REFUSED = new Set([400, 401, 403]);

/** Rejects with an UpstreamError whose class says whether the credential was refused. */
export async function fetchToken({ client, options }: SigningSettings, call: TokenCall): Promise<MintedToken> {
  if (client === undefined) throw new UpstreamError('unauthorised', 'no token can be fetched for this request');
  const { status, body } = await post(client, call, options.proxy);
  const answer = parseRecord(body) ?? {};
  if (status !== 200) {
    const why = [asText(answer['error']), asText(answer['error_description'])].filter(Boolean).join(': ').slice(0, 300);
    const errorClass = REFUSED.has(status) ? 'unauthorised' : (classOfStatus(status) ?? 'malformed');
    const message = `the token could not be fetched (${status}${why === '' ? '' : `, ${why}`})`;
    throw new UpstreamError(errorClass, message, { status });
  }
  const text = asText(answer['access_token']);
  if (text === undefined || !/^[\x21-\x7e]+$/.test(text))
    throw new UpstreamError('malformed', 'the answer of the token address holds no token', { status });
  const seconds = asNumber(Number(answer['expires_in'] ?? DEFAULT_SECONDS)) ?? DEFAULT_SECONDS;
  return { text, lifetimeMs: Math.max(1, seconds) * 1000 };
}

function post(
  client: UpstreamClient,
  { url, form, secrets }: TokenCall,
  proxy: string | undefined,
): Promise<{ status: number; body: Buffer }> {
  const { origin, pathname, search } = new URL(url);
  const body = Buffer.from(new URLSearchParams(form).toString());
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'content-type': 'application/x-www-form-urlencoded',
  };
  return new Promise((resolve, reject) => {
    let status = 0;
    let bytes = 0;
    const pieces: Buffer[] = [];
    client.call(
      {
        origin,
        path: pathname + search,
        method: 'POST',
        headers,
        body,
        limits: LIMITS,
        proxy,
        mask: new SecretMask(secrets),
      },
      {
        onStart: (started) => (status = started),
        onData(piece) {
          bytes += piece.length;
          if (bytes <= MOST_BYTES) pieces.push(piece);
        },
        onEnd: () => resolve({ status, body: Buffer.concat(pieces) }),
        onFail: ({ errorClass, message, facts }) =>
          reject(new UpstreamError(errorClass, `the token could not be fetched: ${message}`, facts)),
      },
    );
  });
}
