// A key of a channel while the process runs. What one account's calls find out about it is for that account alone: it is
// out for everybody when a neutral probe says so, or refusals of several accounts, and rests for everybody when several
// accounts were asked to slow down.
import { RecentAccounts } from './recent-accounts.ts';

/** A key the upstream rejects is tried again now and then: operators repair keys without telling us. */
export const KEY_OUT_MS = 300_000;
/** Probes of one key are at least so far apart; as long as the last one is younger, its word counts more than refusals. */
export const PROBE_PAUSE_MS = 20_000;

export type KeyState = 'ready' | 'cooling' | 'suspected' | 'rejected';

/** Times are those of the steady clock (ms). */
export interface KeyOut {
  since: number;
  until: number;
  /** For operators; without keys and addresses. */
  reason: string;
}

export interface KeyProbe {
  at: number;
  /** null: it could not tell. */
  ok: boolean | null;
  message: string;
}

interface Refused {
  until: number;
  reason: string;
}

export class ChannelKey {
  readonly id: string;
  readonly secret: string;
  /** An operator has set it aside: it answers for what it has taken, and takes nothing new. */
  isDisabled = false;
  out: KeyOut | undefined;
  lastProbe: KeyProbe | undefined;
  /** A model that was answered with this key. */
  provenModel: string | undefined;
  /** Asked to slow down until then (ms), for everybody. */
  #coolUntil = 0;
  readonly #coolingFor = new RecentAccounts<number>();
  readonly #refusedFor = new RecentAccounts<Refused>();

  constructor(id: string, secret: string) {
    this.id = id;
    this.secret = secret;
  }

  state(now: number): KeyState {
    if (this.isOut(now)) return 'rejected';
    if (this.suspicion(now) !== undefined) return 'suspected';
    return this.#isCooling(now) ? 'cooling' : 'ready';
  }

  isOut(now: number): boolean {
    return this.out !== undefined && now < this.out.until;
  }

  /** Until then this account's calls do without it; in the past when it is usable. */
  freeAt(account: string): number {
    return Math.max(this.out?.until ?? 0, this.#refusedFor.get(account)?.until ?? 0, this.coolUntil(account));
  }

  coolUntil(account: string): number {
    return Math.max(this.#coolUntil, this.#coolingFor.get(account) ?? 0);
  }

  isUsable(now: number, account: string): boolean {
    return now >= this.freeAt(account);
  }

  /** Why some account's calls do without it, though it is not out. */
  suspicion(now: number): string | undefined {
    for (const [, { until, reason }] of this.#refusedFor.entries()) if (now < until) return reason;
    return undefined;
  }

  succeed(model: string): void {
    this.provenModel = model;
    if (this.#refusedFor.size > 0) this.#refusedFor.clear();
  }

  /** The upstream asks this account to slow down. `isShared`: others may be kept from it, if one of them was asked too. */
  limit(account: string, { now, until, isShared }: { now: number; until: number; isShared: boolean }): void {
    const isAgreed = this.#coolingFor.someOther(account, (one) => now < one);
    this.#coolingFor.set(account, until);
    if (isShared && isAgreed) this.#coolUntil = Math.max(this.#coolUntil, until);
  }

  /** The upstream refuses the key in a call of this account. True when it is out for everybody by that. */
  refuse(account: string, now: number, reason: string): boolean {
    const isAgreed = this.#refusedFor.someOther(account, ({ until }) => now < until);
    this.#refusedFor.set(account, { until: now + KEY_OUT_MS, reason });
    const wasProbedWell = this.lastProbe?.ok === true && now - this.lastProbe.at < PROBE_PAUSE_MS;
    if (!isAgreed || wasProbedWell || this.isOut(now)) return false;
    this.takeOut(now, `${reason} Calls of several accounts were refused.`);
    return true;
  }

  takeOut(now: number, reason: string): void {
    this.out = { since: this.isOut(now) ? (this.out?.since ?? now) : now, until: now + KEY_OUT_MS, reason };
  }

  /** It works: whatever was held against it is forgotten. */
  bringBack(): void {
    this.out = undefined;
    this.#refusedFor.clear();
  }

  #isCooling(now: number): boolean {
    return now < this.#coolUntil || this.#coolingFor.someOther('', (until) => now < until) || now < this.coolUntil('');
  }
}
