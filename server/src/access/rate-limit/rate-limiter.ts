// Lets a request in or says when to retry. A token without a policy passes without any work being done.
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Clock } from '../../shared/clock.ts';
import { rateHeaders } from './rate-headers.ts';
import type { RateLimit, RateStore, RateSubject, RateVerdict, RateRequest } from './rate-store.ts';

export interface RateCall {
  requestId: string;
  endpoint: string;
  principal: { rateSubjects: readonly RateSubject[] };
  /** Its head shows the windows. */
  reply?: { setHeader(name: string, value: string): void };
}

/** A request that was let in; `end` once it is over. */
export interface RateGrant {
  /** Output tokens so far, while it runs. */
  saw(output: number): void;
  /** What the request used, as soon as that is known; without this call it used nothing. */
  used(tokens: { input: number; output: number }): void;
  end(): void;
}

export interface RateLimiterDependencies {
  store: RateStore;
  clock: Clock;
  onLimited?(limit: RateLimit): void;
}

const ADVICE = 'Reduce concurrency and retry with exponential backoff.';
const TOO_LARGE_SECONDS = 60;

export class RateLimiter {
  readonly #dependencies: RateLimiterDependencies;

  constructor(dependencies: RateLimiterDependencies) {
    this.#dependencies = dependencies;
  }

  /** `tokens` is the likely input. At once where the windows are in this process; throws 429. */
  admit(call: RateCall, tokens: number): RateGrant | undefined | Promise<RateGrant> {
    const { rateSubjects: subjects } = call.principal;
    if (subjects.length === 0) return undefined;
    const request: RateRequest = { requestId: call.requestId, subjects, tokens };
    const verdict = this.#dependencies.store.admit(request);
    return verdict instanceof Promise
      ? verdict.then((decided) => this.#follow(decided, request, call))
      : this.#follow(verdict, request, call);
  }

  #follow(verdict: RateVerdict, request: RateRequest, { endpoint, reply }: RateCall): RateGrant {
    const { store, clock, onLimited } = this.#dependencies;
    const headers = rateHeaders(verdict.uses, endpoint, clock.now());
    if (verdict.blockedBy !== undefined) {
      onLimited?.(verdict.blockedBy);
      throw refusal(verdict, verdict.blockedBy, { headers, request });
    }
    for (const [name, value] of Object.entries(headers)) reply?.setHeader(name, value);
    const counted = { input: 0, output: 0 };
    let ended = false;
    let seen = 0;
    return {
      saw(output) {
        if (ended || output <= seen) return;
        store.add(request, output - seen);
        seen = output;
      },
      used: (tokens) => void Object.assign(counted, tokens),
      end() {
        if (ended) return;
        ended = true;
        const output = Math.max(0, counted.output - seen);
        store.end({ request, second: verdict.second, input: counted.input, output });
      },
    };
  }
}

/** What runs at the same time has no window, so only refused calls show it. */
function concurrencyHeaders({ subjects }: RateRequest): Record<string, string> {
  const limit = Math.min(...subjects.flatMap(({ rate }) => rate.concurrency ?? []));
  return { 'x-ratelimit-limit-concurrency': String(limit), 'x-ratelimit-remaining-concurrency': '0' };
}

function refusal(
  { waitMs }: RateVerdict,
  blockedBy: RateLimit,
  { headers, request }: { headers: Record<string, string>; request: RateRequest },
): GatewayError {
  const retryAfter = Number.isFinite(waitMs) ? Math.max(1, Math.ceil(waitMs / 1000)) : TOO_LARGE_SECONDS;
  const reason = {
    rpm: 'Too many requests per minute.',
    tpm: Number.isFinite(waitMs)
      ? 'Too many tokens per minute.'
      : `This request has about ${request.tokens} tokens, which is above the limit of tokens per minute. Make it smaller.`,
    concurrency: 'Too many requests at the same time.',
  }[blockedBy];
  return new GatewayError('rate_limit_exceeded', {
    message: `${reason} ${ADVICE}`,
    retryAfter,
    headers: { ...headers, ...(blockedBy === 'concurrency' && concurrencyHeaders(request)) },
  });
}
