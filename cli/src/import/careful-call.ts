// Creates that may be repeated. What has a name or key that only one can have needs nothing more; a credit gets an
// idempotency key. Both are tried again while the gateway is busy.
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { callOperator } from '../connection.ts';
import { Refused } from '../refused.ts';

const TRIES = 60;
const PAUSE_MS = 500;

/** `identity` tells this change apart from all others, where the gateway could not. */
export async function create<T>(path: string, body: unknown, identity?: readonly unknown[]): Promise<T> {
  const digest = createHash('sha256').update(JSON.stringify(identity ?? null));
  const headers: Record<string, string> =
    identity === undefined ? {} : { 'idempotency-key': `import-${digest.digest('hex')}` };
  for (let left = TRIES; ; left--) {
    try {
      return await callOperator<T>(path, { method: 'POST', body, headers });
    } catch (error) {
      if (left === 0 || !isBusy(error)) throw error;
      await wait(PAUSE_MS);
    }
  }
}

export function isConflict(error: unknown): boolean {
  return error instanceof Refused && error.status === 409;
}

/** A run that was ended a moment ago may have left the same change under way. */
function isBusy(error: unknown): boolean {
  if (!(error instanceof Refused)) return false;
  return (
    error.status === 429 ||
    error.status === 503 ||
    (error.status === 409 && error.message.includes('request_in_progress'))
  );
}
