// The error body of the service's family. https://ai.google.dev/gemini-api/docs/troubleshooting
import type { SandboxProtocol } from '../protocol.ts';
import type { Head } from '../http/head.ts';
import type { Failure } from '../refusal.ts';

const statusWords: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  409: 'ABORTED',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};
const messages: Readonly<Record<number, string>> = {
  401: 'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
  403: 'The caller does not have permission',
  429: 'You exceeded your current quota, please check your plan and billing details.',
  500: 'An internal error has occurred. Please retry or report in the documentation’s troubleshooting page.',
  503: 'The model is overloaded. Please try again later.',
  504: 'Deadline expired before operation could complete.',
};
const invalidKey = {
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason: 'API_KEY_INVALID',
  domain: 'googleapis.com',
  metadata: { service: 'generativelanguage.googleapis.com' },
};

/** Not 401: the real service calls a key that it does not know an invalid argument, and an absent one a lack of permission. */
export const keyFailures = {
  absent: {
    status: 403,
    message:
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
  },
  wrong: { status: 400, message: 'API key not valid. Please pass a valid API key.', details: [invalidKey] },
};

export type ErrorBody = { error: { code: number; message: string; status: string; details?: readonly object[] } };

export function makeError({ status, message, details, retryAfterSeconds }: Failure): ErrorBody {
  const delay = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfterSeconds}s` };
  const reported = [...(details ?? []), ...(retryAfterSeconds === undefined ? [] : [delay])];
  return {
    error: {
      code: status,
      message: message ?? messages[status] ?? `The sandbox was asked to fail with ${status}.`,
      status: statusWords[status] ?? 'UNKNOWN',
      ...(reported.length === 0 ? {} : { details: reported }),
    },
  };
}

/** A stream that is no event stream is one array, and a refusal its only element. */
export const writeError: SandboxProtocol['writeError'] = (failure, { head }) =>
  wantsArray(head) ? [makeError(failure)] : makeError(failure);

export function wantsArray({ path, query }: Head): boolean {
  return path.endsWith(':streamGenerateContent') && query.get('alt') !== 'sse';
}
