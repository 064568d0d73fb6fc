// Rate windows in Redis, shared by all processes: one script per admission, so that two processes never count past each
// other. Rejects when Redis does not answer in time or answers something else; what then is its user's decision.
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { answeredWithin } from '../../shared/lag-aware-timeout.ts';
import {
  CONCURRENCY_WAIT_MS,
  type LimitUse,
  type RateEnd,
  type RateRequest,
  type RateSubject,
  type RateVerdict,
  type RemoteRateStore,
  type SubjectUse,
} from './rate-store.ts';
import { ADMIT_SCRIPT, END_SCRIPT, RENEW_SCRIPT } from './redis-scripts.ts';

type Script = (keys: number, ...dependencies: (string | number)[]) => Promise<unknown>;
interface Scripts {
  tollgateAdmit: Script;
  tollgateEnd: Script;
  tollgateRenew: Script;
}

/** A script takes well under a millisecond: a wait this long means that something is broken. */
const COMMAND_MS = 250;
/** Looks in vain after which the connection is made again: its other end may be a machine that is no more. */
const MOST_SILENT_LOOKS = 4;
/** A process that dies leaves its running requests behind for at most this long. */
const LEASE_MS = 30_000;
const PREFIX = 'tollgate:rate:';

export class RedisStore implements RemoteRateStore {
  readonly #redis: Redis | Cluster;
  readonly #scripts: Scripts;
  readonly #leaseMs: number;
  readonly #commandMs: number;
  /** Running requests by the set they are in. */
  readonly #running = new Map<string, Set<string>>();
  readonly #renewal: NodeJS.Timeout;
  #silentLooks = 0;

  constructor(
    url: string,
    { leaseMs = LEASE_MS, commandMs = COMMAND_MS }: { leaseMs?: number; commandMs?: number } = {},
  ) {
    this.#redis = connectRedis(url);
    this.#redis.on('error', () => {}); // reported by every command
    this.#redis.defineCommand('tollgateAdmit', { lua: ADMIT_SCRIPT });
    this.#redis.defineCommand('tollgateEnd', { lua: END_SCRIPT });
    this.#redis.defineCommand('tollgateRenew', { lua: RENEW_SCRIPT });
    this.#scripts = this.#redis as unknown as Scripts;
    this.#renewal = setInterval(() => this.#renew(), leaseMs / 3).unref();
    this.#leaseMs = leaseMs;
    this.#commandMs = commandMs;
  }

  get isConnected(): boolean {
    return this.#redis.status === 'ready';
  }

  async ping(): Promise<void> {
    try {
      const answer: unknown = await this.#inTime(this.#redis.ping());
      if (answer !== 'PONG') throw this.#unexpectedAnswer();
      this.#silentLooks = 0;
    } catch (error) {
      if (++this.#silentLooks % MOST_SILENT_LOOKS === 0) this.#redis.disconnect(true);
      throw error;
    }
  }

  async admit({ requestId, subjects, tokens }: RateRequest): Promise<RateVerdict> {
    const keys = subjects.flatMap(({ key }) => [requestsOf(key), tokensOf(key), runningOf(key)]);
    const limits = subjects.flatMap(({ rate }) => [rate.rpm ?? 0, rate.tpm ?? 0, rate.concurrency ?? 0]);
    const asked = this.#scripts.tollgateAdmit(keys.length, ...keys, requestId, tokens, this.#leaseMs, ...limits);
    const verdict = readVerdict(await this.#inTime(asked), subjects);
    if (verdict === undefined) throw this.#unexpectedAnswer();
    if (verdict.blockedBy === undefined) for (const key of limited(subjects)) this.#runs(key).add(requestId);
    return verdict;
  }

  async add({ requestId, subjects }: RateRequest, output: number): Promise<void> {
    const counted = subjects.filter(({ rate }) => rate.tpm !== undefined).map(({ key }) => tokensOf(key));
    if (counted.length > 0)
      await this.#inTime(
        this.#scripts.tollgateEnd(counted.length, ...counted, counted.length, requestId, 0, 0, output),
      );
  }

  async end({ request: { requestId, subjects, tokens }, second, input, output }: RateEnd): Promise<void> {
    const counted = subjects.filter(({ rate }) => rate.tpm !== undefined).map(({ key }) => tokensOf(key));
    const running = limited(subjects);
    for (const key of running) this.#running.get(key)?.delete(requestId);
    if (counted.length + running.length === 0) return;
    const keys = [...counted, ...running];
    await this.#inTime(
      this.#scripts.tollgateEnd(keys.length, ...keys, counted.length, requestId, second, input - tokens, output),
    );
  }

  close(): void {
    clearInterval(this.#renewal);
    this.#redis.disconnect();
  }

  #inTime<T>(answer: Promise<T>): Promise<T> {
    return answeredWithin(this.#commandMs, answer, 'Redis does not answer in time');
  }

  /** Answers are known by their order alone: after a wrong one nobody knows whose the next is. */
  #unexpectedAnswer(): Error {
    this.#redis.disconnect(true);
    return new Error('Redis answered something else');
  }

  #runs(key: string): Set<string> {
    const known = this.#running.get(key);
    if (known !== undefined) return known;
    const made = new Set<string>();
    this.#running.set(key, made);
    return made;
  }

  #renew(): void {
    for (const [key, ids] of this.#running) {
      if (ids.size === 0) this.#running.delete(key);
      else this.#scripts.tollgateRenew(1, key, this.#leaseMs, ...ids).catch(() => {}); // the next round tries again
    }
  }
}

const requestsOf = (key: string): string => `${PREFIX}${key}:requests`;
const tokensOf = (key: string): string => `${PREFIX}${key}:tokens`;
const runningOf = (key: string): string => `${PREFIX}${key}:running`;

function limited(subjects: readonly RateSubject[]): string[] {
  return subjects.filter(({ rate }) => rate.concurrency !== undefined).map(({ key }) => runningOf(key));
}

const PER_SUBJECT = 7;

/** undefined when that is no verdict. */
function readVerdict(answer: unknown, subjects: readonly RateSubject[]): RateVerdict | undefined {
  const isAnswer = Array.isArray(answer) && answer.length === 2 + PER_SUBJECT * subjects.length;
  if (!isAnswer || !answer.every((one) => Number.isSafeInteger(one))) return undefined;
  const [admitted = 0, second = 0, ...rest] = answer as number[];
  let blockedBy: RateVerdict['blockedBy'];
  let waitMs = 0;
  const block = (limit: RateVerdict['blockedBy'], ms: number): void => {
    const lasts = ms < 0 ? Infinity : ms;
    if (admitted === 1 || lasts <= waitMs) return;
    blockedBy = limit;
    waitMs = lasts;
  };
  const uses = subjects.map(({ rate }, index): SubjectUse => {
    const numbers = rest.slice(index * PER_SUBJECT, (index + 1) * PER_SUBJECT);
    const [requests = 0, requestsReset = 0, rpmWait = 0, tokens = 0, tokensReset = 0, tpmWait = 0, full = 0] = numbers;
    block('concurrency', full * CONCURRENCY_WAIT_MS);
    block('rpm', rpmWait);
    block('tpm', tpmWait);
    const use = (limit: number | undefined, used: number, resetMs: number): LimitUse | undefined =>
      limit === undefined ? undefined : { limit, used, resetMs };
    return { requests: use(rate.rpm, requests, requestsReset), tokens: use(rate.tpm, tokens, tokensReset) };
  });
  if (admitted !== 1 && blockedBy === undefined) return undefined;
  return { blockedBy, waitMs, uses, second };
}

const OPTIONS = {
  connectTimeout: 2_000,
  enableOfflineQueue: false, // who cannot be asked now is not asked later
  maxRetriesPerRequest: 0,
} satisfies RedisOptions;
const again = (times: number): number => Math.min(1_000, 50 * times);

/**
 * A connection to what REDIS_URL names: one server, or with several addresses the cluster that they are nodes of. Commands
 * never wait for a connection.
 */
function connectRedis(url: string): Redis | Cluster {
  const [first = url, ...others] = url.split(',').map((address) => address.trim());
  if (others.length === 0) return new Redis(first, { ...OPTIONS, retryStrategy: again });
  // Nodes that the cluster names by itself are asked as the first address says.
  const { username, password, protocol } = new URL(first);
  return new Cluster([first, ...others], {
    clusterRetryStrategy: again,
    enableOfflineQueue: false,
    // The host's names are good for every node, also where a certificate stands for them.
    dnsLookup: (address, done) => done(null, address),
    redisOptions: {
      ...OPTIONS,
      ...(username !== '' && { username: decodeURIComponent(username) }),
      ...(password !== '' && { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' && { tls: {} }),
    },
  });
}
