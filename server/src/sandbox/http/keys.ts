// Judges the key of a call by how it begins, so that a channel's key alone can choose the answer.
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../protocol.ts';

const limitedRetrySeconds = 1;
const maskedHeaders = new Set(['x-api-key', 'api-key', 'x-goog-api-key', 'cookie', 'proxy-authorization']);

export function readKey(headers: IncomingHttpHeaders): string | undefined {
  return /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

export function checkKey(key: string | undefined): string {
  if (key === undefined) {
    throw new Refusal({
      status: 401,
      message: 'You did not provide an API key. Send it in the header `Authorization: Bearer YOUR_KEY`.',
    });
  }
  if (key.startsWith('bad')) throw new Refusal({ status: 401 });
  if (key.startsWith('forbidden')) throw new Refusal({ status: 403 });
  if (key.startsWith('limited')) throw new Refusal({ status: 429, retryAfterSeconds: limitedRetrySeconds });
  return key;
}

/** The headers as they may be remembered. */
export function withoutSecrets(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'authorization' || value === undefined) continue;
    kept[name] = maskedHeaders.has(name) ? '***' : String(value);
  }
  return kept;
}
