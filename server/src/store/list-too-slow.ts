// How long one statement of a list may take (promise A-14), and what is answered when it takes longer.
import { GatewayError } from '../errors/gateway-error.ts';

export const LIST_LIMIT_MS = 1_000;

export function listTooSlow(cause?: unknown): GatewayError {
  return new GatewayError('list_too_slow', { cause });
}
