// Where rate windows are kept: in this process, or in Redis for all processes. Everything about one request is asked at once,
// and counted for all of its subjects or for none.

/** Limits of a token or an account; each undefined = no limit. */
interface RatePolicy {
  /** Requests and tokens per minute. */
  rpm: number | undefined;
  tpm: number | undefined;
  /** Requests at the same time. */
  concurrency: number | undefined;
}

export function readRatePolicy(text: string): RatePolicy {
  const stored = JSON.parse(text) as Partial<Record<keyof RatePolicy, number | null>>;
  return {
    rpm: stored.rpm ?? undefined,
    tpm: stored.tpm ?? undefined,
    concurrency: stored.concurrency ?? undefined,
  };
}

export function limitsAnything({ rpm, tpm, concurrency }: RatePolicy): boolean {
  return rpm !== undefined || tpm !== undefined || concurrency !== undefined;
}

/** Whom a policy limits: a token or an account, test calls apart from live ones. */
export interface RateSubject {
  /** The part in braces is the same for all subjects of a request: a cluster keeps what has it together. */
  key: string;
  rate: RatePolicy;
}

export interface RateRequest {
  requestId: string;
  subjects: readonly RateSubject[];
  /** Tokens to count at once; what was really used is reported at the end. */
  tokens: number;
}

export type RateLimit = 'rpm' | 'tpm' | 'concurrency';

/** How far one limit is used, this request counted if it was admitted. */
export interface LimitUse {
  limit: number;
  used: number;
  /** Milliseconds until nothing is counted any more. */
  resetMs: number;
}

export interface SubjectUse {
  requests: LimitUse | undefined;
  tokens: LimitUse | undefined;
}

export interface RateVerdict {
  /** Which limit stands in the way; undefined when the request may go on and was counted. */
  blockedBy: RateLimit | undefined;
  /** How long that lasts, in milliseconds; Infinity when the request is larger than its limit. */
  waitMs: number;
  uses: SubjectUse[];
  /** The second in which it was counted. */
  second: number;
}

export interface RateEnd {
  request: RateRequest;
  /** Of the verdict. */
  second: number;
  /** Tokens really used: all input, and the output that was not added before. */
  input: number;
  output: number;
}

export interface RateStore {
  admit(request: RateRequest): RateVerdict | Promise<RateVerdict>;
  /** Output tokens that have come meanwhile. */
  add(request: RateRequest, output: number): void;
  /** The request is over. */
  end(end: RateEnd): void;
}

/** Windows that somebody else keeps. Rejects when it does not answer in time. */
export interface RemoteRateStore {
  ping(): Promise<void>;
  admit(request: RateRequest): Promise<RateVerdict>;
  add(request: RateRequest, output: number): Promise<void>;
  end(end: RateEnd): Promise<void>;
  close(): void;
}

/** A concurrent request ends when it ends: nobody knows when, so try again soon. */
export const CONCURRENCY_WAIT_MS = 1_000;
