// The error body that the vendors of this protocol share: a message and nothing else.
import type { Failure } from '../refusal.ts';

const messages: Readonly<Record<number, string>> = {
  401: 'invalid api token',
  403: 'your key may not use this resource',
  429: 'you have exceeded your rate limit',
  500: 'internal server error',
  503: 'the service is overloaded, please try again later',
};

export function writeError({ status, message }: Failure): { message: string } {
  return { message: message ?? messages[status] ?? `the sandbox was asked to fail with ${status}` };
}
