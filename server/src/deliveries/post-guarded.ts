// One POST of a delivery to an address that somebody gave us: through the guarded client, without redirects.
import type { Readable } from 'node:stream';
import { AddressRefused, discardBody, type GuardedClient } from '../providers/guarded/guarded-client.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import type { AttemptOutcome } from './delivery-sender.ts';
import { signWebhook } from './webhook-signature.ts';

export interface GuardedPost {
  url: string;
  headers?: Record<string, string>;
  payload: string;
  signal?: AbortSignal | undefined;
  /** Why an answer of success is none, for receivers that say so in its body; null = it is one. */
  readProblem?(body: string): string | null;
}

const LIMITS = { connectMs: 10_000, firstByteMs: 15_000, idleMs: 15_000 };
const LONGEST_ANSWER = 8_192;
/** Less than a claim lasts: nobody else tries meanwhile. */
const LONGEST_MS = 45_000;

export async function postGuarded(
  guarded: Pick<GuardedClient, 'call'>,
  { url, headers = {}, payload, signal, readProblem }: GuardedPost,
): Promise<AttemptOutcome> {
  try {
    const { status, body } = await guarded.call({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Tollgate-Webhooks/1', ...headers },
      body: Buffer.from(payload),
      redirects: 0,
      limits: LIMITS,
      signal: AbortSignal.any([AbortSignal.timeout(LONGEST_MS), ...(signal === undefined ? [] : [signal])]),
    });
    const isTaken = status >= 200 && status < 300;
    if (!isTaken || readProblem === undefined) {
      discardBody(body);
      return { status, error: isTaken ? null : `answered with ${status}` };
    }
    const text = await beginningOf(body);
    return { status, error: text === undefined ? 'its answer could not be read' : readProblem(text) };
  } catch (error) {
    if (error instanceof AddressRefused) return { status: null, error: 'the address may not be called' };
    if (error instanceof UpstreamError) return { status: null, error: error.errorClass };
    throw error;
  }
}

async function beginningOf(body: Readable): Promise<string | undefined> {
  let text = '';
  try {
    for await (const chunk of body) {
      text += String(chunk);
      if (text.length > LONGEST_ANSWER) break;
    }
    return text;
  } catch {
    return undefined; // it broke off, or took too long
  }
}

/** The same, signed as standardwebhooks.com says. The id stays the same over all attempts. */
export function postWebhook(
  guarded: Pick<GuardedClient, 'call'>,
  { id, at, secret, ...post }: GuardedPost & { id: string; at: number; secret: string },
): Promise<AttemptOutcome> {
  const headers = {
    ...post.headers,
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': signWebhook(secret, { id, at, payload: post.payload }),
  };
  return postGuarded(guarded, { ...post, headers });
}
