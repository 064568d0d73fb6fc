// Rate windows in this process's memory: decided at once, without waiting for anybody.
import type { Clock } from '../../shared/clock.ts';
import { SlidingWindow } from '../../shared/sliding-window.ts';
import {
  CONCURRENCY_WAIT_MS,
  type LimitUse,
  type RateEnd,
  type RateStore,
  type RateSubject,
  type RateVerdict,
  type RateRequest,
  type SubjectUse,
} from './rate-store.ts';

interface Windows {
  requests: SlidingWindow;
  tokens: SlidingWindow;
  active: number;
  /** When it was last asked for (ms). */
  usedAt: number;
}

/** Windows that nobody asked for this long hold nothing. */
const IDLE_MS = 62_000;

export class InProcessStore implements RateStore {
  readonly #clock: Clock;
  readonly #windows = new Map<string, Windows>();
  #tidiedAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Subjects in memory. */
  get size(): number {
    return this.#windows.size;
  }

  admit(request: RateRequest): RateVerdict {
    const now = this.#clock.now();
    this.#tidy(now);
    const found = request.subjects.map((subject) => ({ subject, windows: this.#of(subject.key, now) }));
    let blockedBy: RateVerdict['blockedBy'];
    let waitMs = 0;
    const block = (limit: RateVerdict['blockedBy'], ms: number): void => {
      if (ms <= waitMs) return;
      blockedBy = limit;
      waitMs = ms;
    };
    for (const { subject, windows } of found) {
      const { rpm, tpm, concurrency } = subject.rate;
      if (concurrency !== undefined && windows.active >= concurrency) block('concurrency', CONCURRENCY_WAIT_MS);
      if (rpm !== undefined) block('rpm', windows.requests.wait(now, rpm, 1));
      if (tpm !== undefined) block('tpm', windows.tokens.wait(now, tpm, request.tokens));
    }
    if (blockedBy === undefined) for (const { windows } of found) count(windows, now, request.tokens);
    const uses = found.map(({ subject, windows }) => useOf(subject, windows, now));
    return { blockedBy, waitMs, uses, second: Math.floor(now / 1000) };
  }

  /** Counts what another store has admitted, to know it when that store is away. */
  note(request: RateRequest): void {
    const now = this.#clock.now();
    this.#tidy(now);
    for (const { key } of request.subjects) count(this.#of(key, now), now, request.tokens);
  }

  add({ subjects }: RateRequest, output: number): void {
    const now = this.#clock.now();
    for (const { key } of subjects) this.#of(key, now).tokens.add(now, output);
  }

  end({ request, second, input, output }: RateEnd): void {
    const now = this.#clock.now();
    for (const { key } of request.subjects) {
      const windows = this.#of(key, now);
      windows.active = Math.max(0, windows.active - 1);
      windows.tokens.correct(now, second, input - request.tokens);
      if (output > 0) windows.tokens.add(now, output);
    }
  }

  #of(key: string, now: number): Windows {
    let windows = this.#windows.get(key);
    if (windows === undefined) {
      windows = { requests: new SlidingWindow(), tokens: new SlidingWindow(), active: 0, usedAt: now };
      this.#windows.set(key, windows);
    }
    windows.usedAt = now;
    return windows;
  }

  #tidy(now: number): void {
    if (now - this.#tidiedAt < IDLE_MS) return;
    this.#tidiedAt = now;
    for (const [key, { active, usedAt }] of this.#windows)
      if (active === 0 && now - usedAt > IDLE_MS) this.#windows.delete(key);
  }
}

function count(windows: Windows, now: number, tokens: number): void {
  windows.requests.add(now, 1);
  windows.tokens.add(now, tokens);
  windows.active++;
}

function useOf({ rate: { rpm, tpm } }: RateSubject, { requests, tokens }: Windows, now: number): SubjectUse {
  const use = (limit: number | undefined, window: SlidingWindow): LimitUse | undefined =>
    limit === undefined ? undefined : { limit, used: window.sum(now), resetMs: window.untilEmpty(now) };
  return { requests: use(rpm, requests), tokens: use(tpm, tokens) };
}
