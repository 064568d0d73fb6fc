// What routing and operators get to know of a call that failed: facts that decide who is blamed, and the upstream's words
// without keys and addresses.
import { cannotConnect, type UpstreamError } from '../providers/upstream-error.ts';
import type { FailureFacts } from '../routing/failover.ts';
import type { Candidate } from '../routing/route.ts';
import { plainText } from '../shared/plain-text.ts';
import { hideUpstream } from './hide-upstream.ts';

const LONGEST_MESSAGE = 300;

export function failureFacts(error: UpstreamError, candidate: Candidate | undefined): FailureFacts {
  const { status, about } = error.facts;
  if (candidate === undefined) return { status, about };
  const message = plainText(hideUpstream(describe(error), candidate), LONGEST_MESSAGE);
  return { status, about, cannotConnect: cannotConnect(error), message };
}

/** Status, code and sentence, as far as there are any. */
function describe({ message, facts: { status, upstreamCode, upstreamMessage } }: UpstreamError): string {
  const words = [status, upstreamCode].filter((one) => one !== undefined).join(' ');
  const sentence = upstreamMessage ?? message;
  return `${words === '' ? '' : `${words}: `}${sentence}${/[.!?]$/.test(sentence) ? '' : '.'}`;
}
