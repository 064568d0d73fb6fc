// Signatures of webhooks as standardwebhooks.com has them: HMAC-SHA256 over id, time and body, in base64.
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export function makeWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export function signWebhook(secret: string, { id, at, payload }: { id: string; at: number; payload: string }): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${at}.${payload}`).digest('base64')}`;
}
