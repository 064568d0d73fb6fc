// The protocol's error body. https://docs.claude.com/en/api/errors
import type { SandboxProtocol } from '../protocol.ts';
import type { Failure } from '../refusal.ts';

const types: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};
const messages: Readonly<Record<number, string>> = {
  401: 'invalid x-api-key',
  403: 'Your API key does not have permission to use the specified resource.',
  413: 'Request exceeds the maximum size',
  429: 'This request would exceed your rate limit. Please try again later.',
  500: 'Internal server error',
  529: 'Overloaded',
};

export type ErrorBody = { type: 'error'; error: { type: string; message: string }; request_id: string };

export const writeError: SandboxProtocol['writeError'] = ({ status, message }: Failure, { requestId }): ErrorBody => ({
  type: 'error',
  error: {
    type: types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'),
    message: message ?? messages[status] ?? `The sandbox was asked to fail with ${status}.`,
  },
  request_id: requestId,
});

export const keyFailures = {
  absent: { status: 401, message: 'x-api-key header is required' },
  wrong: { status: 401 },
};
