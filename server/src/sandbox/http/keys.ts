// Judges the key of a call by how it begins, so that a channel's key alone can choose the answer.
import type { IncomingHttpHeaders } from 'node:http';
import type { SandboxProtocol } from '../protocol.ts';
import type { Head } from './head.ts';
import { Refusal } from '../refusal.ts';

const limitedRetrySeconds = 1;
const maskedHeaders = new Set([
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'cookie',
  'proxy-authorization',
  'x-amz-security-token',
]);

const keyFailures: NonNullable<SandboxProtocol['keyFailures']> = {
  absent: {
    status: 401,
    message: 'You did not provide an API key. Send it in the header `Authorization: Bearer YOUR_KEY`.',
  },
  wrong: { status: 401 },
};

export function readBearer({ headers }: Pick<Head, 'headers'>): string | undefined {
  return /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** A key that stands in a header of its own; empty counts as none. */
export function readKeyHeader({ headers }: Pick<Head, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** For the record, which is made before anybody knows whose call it is. */
export function readAnyKey(head: Head): string | undefined {
  const inHeader =
    readBearer(head) ??
    readKeyHeader(head, 'x-api-key') ??
    readKeyHeader(head, 'x-goog-api-key') ??
    readKeyHeader(head, 'api-key');
  return inHeader ?? head.query.get('key') ?? undefined;
}

export function checkKey(head: Head, protocol: SandboxProtocol): string {
  return judgeKey((protocol.readKey ?? readBearer)(head), protocol.keyFailures ?? keyFailures);
}

export function judgeKey(key: string | undefined, failures: NonNullable<SandboxProtocol['keyFailures']>): string {
  if (key === undefined) throw new Refusal(failures.absent);
  if (key.startsWith('bad')) throw new Refusal(failures.wrong);
  if (key.startsWith('forbidden')) throw new Refusal({ status: 403 });
  if (key.startsWith('limited')) throw new Refusal({ status: 429, retryAfterSeconds: limitedRetrySeconds });
  return key;
}

/** The query as it may be remembered. */
export function withoutKey(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...query].map(([name, value]) => [name, name === 'key' ? '***' : value]));
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
