// Asks one candidate after another until one answers, the request itself is refused, or nobody is left.
import { GatewayError } from '../errors/gateway-error.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import type { Candidate, Route } from '../routing/route.ts';
import type { Cancellation } from '../providers/cancellation.ts';
import { type AttemptWords, attemptWords, failureFacts } from './failure-facts.ts';
import { hideUpstream } from './hide-upstream.ts';

/** A line of `attempts` in the request log. */
export interface AttemptRecord extends AttemptWords {
  channel_id: string;
  status: number | null;
  error: string | null;
  ms: number;
  /** When it began, in milliseconds since the request arrived. Left out, like the rest, where the first one answered. */
  at?: number;
  /** The channel key that was used. */
  key_id?: string;
}

export interface TryDependencies {
  route: Route;
  cancellation: Cancellation;
  attempts: AttemptRecord[];
  /** What the caller asked for, as far as it is known. */
  model?: string | null;
  /** performance.now() when the request arrived. */
  since?: number;
}

export async function tryCandidates<T>(
  { route, cancellation, attempts, model, since }: TryDependencies,
  attempt: (candidate: Candidate) => Promise<T>,
): Promise<T> {
  for (let candidate = route.next(); candidate !== undefined; candidate = route.next()) {
    if (cancellation.reason !== undefined) {
      route.finish();
      throw cancelledError(cancellation.reason); // before anything is sent
    }
    const startedAt = performance.now();
    const isFirst = attempts.length === 0;
    const record = (status: number | null, error: string | null, words?: AttemptWords): void => {
      const ms = Math.round(performance.now() - startedAt);
      const line: AttemptRecord = { channel_id: candidate?.channel.facts.id ?? '', status, error, ms };
      attempts.push(line);
      if (isFirst && error === null) return; // nearly every request: nothing more is known that the row does not have
      if (since !== undefined) line.at = Math.round(startedAt - since);
      if (candidate !== undefined && candidate.key.id !== '') line.key_id = candidate.key.id;
      Object.assign(line, words);
    };
    try {
      const result = await attempt(candidate);
      record(200, null);
      route.succeed();
      return result;
    } catch (error) {
      if (!(error instanceof UpstreamError)) {
        route.finish();
        throw error;
      }
      const facts = failureFacts(error, candidate);
      record(error.facts.status ?? null, error.errorClass, attemptWords(error, facts.message));
      const goOn = route.fail(error.errorClass, error.facts.retryAfter, facts);
      route.finish();
      if (cancellation.reason !== undefined) throw cancelledError(cancellation.reason);
      if (!goOn) throw refusedError(error, candidate, model);
    }
  }
  throw route.exhausted();
}

function cancelledError(reason: UpstreamError): GatewayError {
  if (reason.errorClass === 'timed-out') return new GatewayError('upstream_timeout', { cause: reason });
  return new GatewayError('client_gone', { cause: reason });
}

/** The upstream refused the content: its status, message and code are the caller's to see, its address and keys are not. */
export function refusedError(error: UpstreamError, candidate: Candidate, model?: string | null): GatewayError {
  const hide = (text: string): string => hideUpstream(text, candidate, model);
  const { status, upstreamMessage, upstreamCode, upstreamParam } = error.facts;
  return new GatewayError('upstream_rejected', {
    ...(status !== undefined && { status }),
    ...(upstreamMessage !== undefined && { message: hide(upstreamMessage) }),
    ...(upstreamCode !== undefined && { upstreamCode: hide(upstreamCode) }),
    ...(upstreamParam !== undefined && { param: hide(upstreamParam) }),
    cause: error,
  });
}
