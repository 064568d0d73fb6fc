// The rate policy's decision on a request, and what the answer's head says about it.
import type { RateGrant, RateLimiter } from '../access/rate-limit/rate-limiter.ts';
import { estimateInput, type TextSize } from '../billing/estimate.ts';
import type { ClientReply, RelayCall } from './call.ts';

export type RatedCall = Pick<RelayCall, 'requestId' | 'endpoint' | 'principal'> & {
  reply: Pick<ClientReply, 'setHeader'>;
};

/** undefined for a token without any policy; throws 429. */
export function admitRate(
  limiter: RateLimiter,
  call: RatedCall,
  size: TextSize,
): RateGrant | undefined | Promise<RateGrant> {
  if (call.principal.rateSubjects.length === 0) return undefined;
  const grant = limiter.admit(call, estimateInput(size));
  if (grant instanceof Promise) return grant.then((granted) => showRate(call, granted));
  return grant === undefined ? undefined : showRate(call, grant);
}

function showRate({ reply }: RatedCall, grant: RateGrant): RateGrant {
  for (const [name, value] of Object.entries(grant.headers)) reply.setHeader(name, value);
  return grant;
}
