// The `fetch` that openid-client calls the issuer with: JSON answers of bounded size within bounded time, no redirects. The
// issuer's own host may be anywhere; other hosts that it names must have public addresses.
import type { CustomFetch } from 'openid-client';
import type { GuardedClient } from '../../../../providers/guarded/guarded-client.ts';
import { OidcFailure } from '../oidc-failure.ts';
import { isSafeAddress } from '../oidc-settings.ts';

export type IssuerClient = Pick<GuardedClient, 'call'>;

const TOTAL_MS = 10_000;
const MOST_BYTES = 256 * 1024;
const LIMITS = { connectMs: TOTAL_MS, firstByteMs: TOTAL_MS, idleMs: TOTAL_MS };
const WITHOUT_BODY = new Set([204, 205, 304]);

/** Rejects with OidcFailure `unreachable`. */
export function issuerFetch(client: IssuerClient, issuer: string): CustomFetch {
  return async (url, { method, headers, body }) => {
    if (!isSafeAddress(url)) throw new OidcFailure('unreachable', `${url} is not an https address`);
    try {
      const answer = await client.call({
        url,
        method: method === 'POST' ? 'POST' : 'GET',
        headers,
        ...(body instanceof URLSearchParams && { body: Buffer.from(body.toString()) }),
        own: { baseUrl: issuer },
        redirects: 0,
        limits: LIMITS,
        signal: AbortSignal.timeout(TOTAL_MS),
      });
      const bytes = await readBytes(answer.body);
      const type = answer.headers['content-type'];
      return new Response(WITHOUT_BODY.has(answer.status) ? null : bytes, {
        status: answer.status,
        headers: typeof type === 'string' ? { 'content-type': type } : {},
      });
    } catch (error) {
      const { message } = error as Error;
      throw new OidcFailure('unreachable', `no good answer from ${url}: ${message}`, { cause: error });
    }
  };
}

async function readBytes(body: AsyncIterable<Buffer>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error(`more than ${MOST_BYTES} bytes`); // leaving the loop ends the answer
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
