// How an error looks to each kind of caller (contract 4).
import type { GatewayError } from '../errors/gateway-error.ts';
import { klingCode } from '../protocols/kling-videos/write-answer.ts';
import { statusWord } from '../protocols/gemini-generate-content/index.ts';

export type ErrorShape = 'compatible' | 'messages' | 'generate-content' | 'video-generations' | 'kling' | 'cohere';

/** Of all its versions: under /v1 only what is done with a model, and interactions. */
const GENERATE_CONTENT = /^\/v1(?:beta|alpha)\/|^\/v1\/models\/.*:[a-zA-Z]+$|^\/v1\/interactions(?:\/|$)/;

/** The shape by the path alone, so that unknown paths answer in the caller's shape too. */
export function shapeOfPath(path: string): ErrorShape {
  if (GENERATE_CONTENT.test(path)) return 'generate-content';
  if (path === '/v1/messages' || path.startsWith('/v1/messages/')) return 'messages';
  if (path === '/v1/video/generations' || path.startsWith('/v1/video/generations/')) return 'video-generations';
  if (path === '/v2' || path.startsWith('/v2/')) return 'cohere';
  return path.startsWith('/kling/') ? 'kling' : 'compatible';
}

export function errorBody(shape: ErrorShape, error: GatewayError, requestId: string): unknown {
  const { message, status, publicCode: code } = error;
  const compatible = { message, type: error.type, param: error.details.param ?? null, code };
  switch (shape) {
    case 'compatible':
      return { error: compatible };
    case 'messages':
      return { type: 'error', error: { type: messagesType(status), message }, request_id: requestId };
    case 'generate-content':
      return { error: { code: status, message, status: statusWord(status) } };
    case 'video-generations':
      return { code, message, data: null, error: compatible };
    // Its clients show the body as it is; what the compatible shape says is more than they know of.
    case 'cohere':
      return { id: requestId, message, error: compatible };
    case 'kling':
      return { code: klingCode(status), message, request_id: requestId };
  }
}

const MESSAGES_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};

function messagesType(status: number): string {
  return MESSAGES_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}
