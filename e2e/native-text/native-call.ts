// Calls of the two native endpoints as a plain HTTP client makes them.
import assert from 'node:assert/strict';
import type { World } from '../support/world.ts';

export type Style = 'messages' | 'generate-content';

export interface NativeCall {
  style: Style;
  model: string;
  /** The whole of the head but the content type. */
  headers: Record<string, string>;
  /** Fields beside the prompt. */
  extra?: Record<string, unknown>;
  /** Without the question mark. */
  query?: string;
  /** Below the usual path: `/count_tokens`; or the method after the colon. */
  method?: string;
}

export const VERSION = { 'anthropic-version': '2023-06-01' };

export function callNative({ gateway }: Pick<World, 'gateway'>, call: NativeCall): Promise<Response> {
  const query = call.query === undefined ? '' : `?${call.query}`;
  return fetch(`${gateway.address}${pathOf(call)}${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...call.headers },
    body: JSON.stringify(bodyOf(call)),
  });
}

function pathOf({ style, model, method }: NativeCall): string {
  if (style === 'messages') return `/v1/messages${method ?? ''}`;
  return `/v1beta/models/${model}:${method ?? 'generateContent'}`;
}

function bodyOf({ style, model, extra }: NativeCall): Record<string, unknown> {
  if (style === 'generate-content') return { contents: [{ parts: [{ text: 'Hello' }] }], ...extra };
  return { model, max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }], ...extra };
}

/** With the token as the endpoint's own clients send it. */
export function ownHeaders(style: Style, key: string): Record<string, string> {
  return style === 'messages' ? { 'x-api-key': key, ...VERSION } : { 'x-goog-api-key': key };
}

export interface NativeError {
  kind: string;
  message: string;
}

/** The answer must be an error in the shape of its endpoint (contract 4), and in no other. */
export async function readNativeError(response: Response, style: Style, status: number): Promise<NativeError> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  const requestId = response.headers.get('x-request-id') ?? '';
  assert.match(requestId, /^req_/);
  const body = JSON.parse(text) as { error: Record<string, unknown> };
  const { message } = body.error;
  assert.ok(typeof message === 'string' && message !== '', text);
  if (style === 'messages') {
    const { type } = body.error;
    assert.deepEqual(body, { type: 'error', error: { type, message }, request_id: requestId });
    return { kind: String(type), message };
  }
  const { status: word } = body.error;
  assert.deepEqual(body, { error: { code: status, message, status: word } });
  return { kind: String(word), message };
}
