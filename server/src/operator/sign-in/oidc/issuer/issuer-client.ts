// Calls the issuer: JSON answers of bounded size within bounded time, no redirects. Its own host may be anywhere; other
// hosts that it names must have public addresses.
import type { GuardedClient } from '../../../../providers/guarded/guarded-client.ts';
import { isSafeAddress } from '../oidc-settings.ts';
import { OidcFailure } from '../oidc-failure.ts';

export interface IssuerAnswer {
  status: number;
  body: unknown;
}

export interface IssuerCall {
  headers?: Record<string, string>;
  /** Makes it a POST. */
  form?: URLSearchParams;
}

const TOTAL_MS = 10_000;
const MOST_BYTES = 256 * 1024;
const LIMITS = { connectMs: TOTAL_MS, firstByteMs: TOTAL_MS, idleMs: TOTAL_MS };

export class IssuerClient {
  readonly #client: GuardedClient;
  readonly #issuer: string;

  constructor(client: GuardedClient, issuer: string) {
    this.#client = client;
    this.#issuer = issuer;
  }

  /** Rejects with OidcFailure. */
  async call(url: string, { headers = {}, form }: IssuerCall = {}): Promise<IssuerAnswer> {
    if (!isSafeAddress(url)) throw new OidcFailure('unreachable', `${url} is not an https address`);
    try {
      const answer = await this.#client.call({
        url,
        method: form === undefined ? 'GET' : 'POST',
        headers: {
          accept: 'application/json',
          ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
          ...headers,
        },
        ...(form !== undefined && { body: Buffer.from(form.toString()) }),
        own: { baseUrl: this.#issuer },
        redirects: 0,
        limits: LIMITS,
        signal: AbortSignal.timeout(TOTAL_MS),
      });
      return { status: answer.status, body: readJson(await readText(answer.body)) };
    } catch (error) {
      const { message } = error as Error;
      throw new OidcFailure('unreachable', `no good answer from ${url}: ${message}`, { cause: error });
    }
  }
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error(`more than ${MOST_BYTES} bytes`); // leaving the loop ends the answer
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The parser's own words would quote what may be a secret. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('it is not JSON');
  }
}
