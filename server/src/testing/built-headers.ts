// The headers that a provider adds to a request: fixed ones, those of its signature, and the caller's that win over them.
import assert from 'node:assert/strict';
import { buildUpstreamRequest, type SigningProvider } from '../providers/build-request.ts';

export function headersOf(
  provider: SigningProvider,
  secret: string,
  headers: Record<string, string> = {},
): Record<string, string> {
  const options = { connectMs: 1, firstByteMs: 1, idleMs: 1 };
  const access = { channel: { facts: { baseUrl: 'https://up.example', headers: {}, options } }, key: { secret } };
  const plan = { method: 'POST' as const, path: '/x', headers, body: null, mask: undefined };
  const request = buildUpstreamRequest(provider, access, plan);
  assert.ok(!(request instanceof Promise));
  const { 'accept-encoding': _, ...rest } = request.headers;
  return rest;
}
