// A path that is not served, asked for with a token that is known, has a line in the request log (contract-2 7). The answer
// does not wait for it.
import { findCredentials, type RequestHeaders } from '../access/credentials.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { PublicDependencies } from './serve-public.ts';

export interface UnknownPath {
  requestId: string;
  path: string;
  query: string;
  headers: RequestHeaders;
  failure: GatewayError;
}

/** Not of the public API: their credentials are others. */
const ELSEWHERE = /^\/(?:operator|console|portal|metrics)(?:\/|$)/;

export async function noteUnknownPath(
  { authenticator, earlyRefusals }: Pick<PublicDependencies, 'authenticator' | 'earlyRefusals'>,
  { requestId, path, query, headers, failure }: UnknownPath,
): Promise<void> {
  const startedAt = performance.now();
  if (ELSEWHERE.test(path)) return;
  try {
    const keys = findCredentials({ path, query, headers }, 'compatible');
    if (keys.length === 0 || !earlyRefusals.mayLookUp()) return;
    const principal = await authenticator.authenticateOneOf(keys);
    earlyRefusals.note({ requestId, path, startedAt, principal, failure });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
  }
}
