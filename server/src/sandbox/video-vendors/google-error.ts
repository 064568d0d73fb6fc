// The error body of Google's APIs. https://cloud.google.com/apis/design/errors
import type { Failure } from '../refusal.ts';

const words: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

export function writeGoogleError({ status, message, code }: Failure): object {
  const word = words[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code };
  const details = code === undefined ? {} : { details: [info] };
  return {
    error: { code: status, message: message ?? `The sandbox must fail with ${status}.`, status: word, ...details },
  };
}
