// The rate policy's word on a request, and what the answer says about it.
import type { Admission, RateLimiter } from '../access/rate-limit/rate-limiter.ts';
import { estimateInput, type TextSize } from '../billing/estimate.ts';
import type { ClientReply, RelayCall } from './call.ts';

type Entering = Pick<RelayCall, 'requestId' | 'endpoint' | 'principal'> & {
  reply: Pick<ClientReply, 'setHeader'>;
};

/** undefined for a token without any policy; throws 429. */
export function enterByRate(
  limiter: RateLimiter,
  call: Entering,
  size: TextSize,
): Admission | undefined | Promise<Admission> {
  if (call.principal.rateSubjects.length === 0) return undefined;
  const admission = limiter.admit(call, estimateInput(size));
  if (admission instanceof Promise) return admission.then((admitted) => tell(call, admitted));
  return admission === undefined ? undefined : tell(call, admission);
}

function tell({ reply }: Entering, admission: Admission): Admission {
  for (const [name, value] of Object.entries(admission.headers)) reply.setHeader(name, value);
  return admission;
}
