// Ids of answers: unlike the rest of an answer, others for every call.
import { createHash } from 'node:crypto';
import type { Call } from '../protocol.ts';

/** `salt` tells apart the ids within one answer. */
export function makeId({ exchange: { record } }: Call, prefix: string, salt = ''): string {
  const seed = `${record.at}:${record.id}:${salt}:${record.rawBody}`;
  return `${prefix}${createHash('sha256').update(seed).digest('base64url').replace(/[-_]/g, 'x').slice(0, 29)}`;
}
