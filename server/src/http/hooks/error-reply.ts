// The one place that turns a thrown error into an answer, in the shape of the caller's protocol.
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { errorBody, shapeOfPath } from '../error-shapes.ts';
import type { PublicResponse } from '../public-exchange.ts';

/** Errors of ours pass; errors of the framework keep their status; everything else is an accident that gets logged. */
export function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const { statusCode, code } = error as { statusCode?: number; code?: string };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new GatewayError('body_too_large', { cause: error });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new GatewayError('unsupported_media_type', { cause: error });
  if (code === 'FST_ERR_CTP_EMPTY_JSON_BODY')
    return new GatewayError('invalid_request', {
      message: 'The body is empty; a JSON object is needed.',
      cause: error,
    });
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY')
    return new GatewayError('invalid_request', { message: 'The body is not valid JSON.', cause: error });
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    const message = error instanceof SyntaxError ? 'The body is not valid JSON.' : 'The request is not valid.';
    return new GatewayError('invalid_request', { message, cause: error });
  }
  if (code !== undefined && FULL_DISK.has(code))
    return new GatewayError('overloaded', {
      message: 'The gateway cannot save this request: its disk is full or read-only. Retry later.',
      cause: error,
    });
  return new GatewayError('internal_error', { cause: error });
}

/** Of files: uploads that are put aside, copies of videos. */
const FULL_DISK = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

/** A temporary refusal says when to try again (contract 4). */
const AWAY_SECONDS = 5;

export interface ErrorReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export function errorReply(error: GatewayError, path: string, requestId: string): ErrorReply {
  const { retryAfter = error.status === 503 ? AWAY_SECONDS : undefined, headers } = error.details;
  const shape = shapeOfPath(path);
  return {
    status: error.status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...(error.status === 401 && { 'www-authenticate': 'Bearer' }),
      ...(error.status === 402 && { 'x-should-retry': 'false' }), // read by the vendors' SDKs (contract-2 7)
      ...(shape === 'messages' && { 'request-id': requestId }),
      ...headers,
    },
    body: JSON.stringify(errorBody(shape, error, requestId)),
  };
}

/** Answers on a raw response; a response that has begun can only be broken off. */
export function replyWithError(response: PublicResponse, error: GatewayError, path: string, requestId: string): void {
  if (response.destroyed || response.writableEnded) return;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, headers, body } = errorReply(error, path, requestId);
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

export function logAccident(logger: Logger, error: GatewayError, requestId: string): void {
  if (error.code === 'internal_error')
    logger.error({ request_id: requestId, error: error.cause ?? error }, 'unexpected error');
  else if (error.code === 'overloaded' && error.cause !== undefined)
    logger.warn({ request_id: requestId, error: error.cause }, 'the request could not be served now');
}
