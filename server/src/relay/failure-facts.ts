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
  const words = hideUpstream(describe(error), candidate);
  const message = plainText(words, LONGEST_MESSAGE);
  return { status, about, cannotConnect: cannotConnect(error), message };
}

/** What the request log keeps of an upstream's answer that was a failure. */
export interface AttemptWords {
  /** The upstream's code for the failure. */
  code?: string;
  /** Its words, without keys and addresses; not of a refusal, which may repeat the prompt. */
  message?: string;
}

const LONGEST_CODE = 100;

export function attemptWords({ errorClass, facts }: UpstreamError, message: string | undefined): AttemptWords {
  return {
    ...(facts.upstreamCode !== undefined && { code: plainText(facts.upstreamCode, LONGEST_CODE) }),
    ...(errorClass !== 'refused' && message !== undefined && { message }),
  };
}

/** Status, code and sentence, as far as there are any. */
function describe({ message, facts: { status, upstreamCode, upstreamMessage } }: UpstreamError): string {
  const words = [status, upstreamCode].filter((one) => one !== undefined).join(' ');
  const sentence = upstreamMessage ?? message;
  return `${words === '' ? '' : `${words}: `}${sentence}${/[.!?]$/.test(sentence) ? '' : '.'}`;
}
