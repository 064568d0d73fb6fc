// Tokens that are fetched with a credential: one for all calls, fetched once however many wait for it, and renewed before
// it ends. A token lives in memory only.
import type { Clock } from '../../shared/clock.ts';

export interface MintedToken {
  text: string;
  lifetimeMs: number;
}

interface Known {
  text: string | undefined;
  /** From then on it is renewed while calls go on with it (ms). */
  renewAt: number;
  /** From then on calls wait for the next one. */
  endsAt: number;
  fetching: Promise<string> | undefined;
}

/** Before its end, or a fifth of its life where that is less. */
const RENEW_BEFORE_MS = 300_000;
/** A call that takes a moment to arrive must not arrive with a token that is over. */
const SPARE_MS = 30_000;
/** After a renewal that failed, while the token is still good. */
const RETRY_MS = 5_000;
const MOST = 1_000;

export class MintedTokens {
  readonly #tokens = new Map<string, Known>();

  /** `name` stands for the credential and where its tokens come from. At once where a token is known. */
  get(name: string, clock: Clock, mint: () => Promise<MintedToken>): string | Promise<string> {
    const known = this.#knownAs(name);
    const now = clock.now();
    if (known.text === undefined || now >= known.endsAt) return known.fetching ?? fetchInto(known, clock, mint);
    if (now >= known.renewAt && known.fetching === undefined) {
      known.renewAt = now + RETRY_MS;
      fetchInto(known, clock, mint).catch(() => undefined); // calls go on with the one that they have
    }
    return known.text;
  }

  /** After a 401. A token that another call has replaced already stays replaced. */
  forget(name: string, refused: string): void {
    const known = this.#tokens.get(name);
    if (known?.text === refused) known.text = undefined;
  }

  #knownAs(name: string): Known {
    let known = this.#tokens.get(name);
    if (known === undefined) {
      if (this.#tokens.size >= MOST) this.#tokens.clear();
      known = { text: undefined, renewAt: 0, endsAt: 0, fetching: undefined };
      this.#tokens.set(name, known);
    }
    return known;
  }
}

function fetchInto(known: Known, clock: Clock, mint: () => Promise<MintedToken>): Promise<string> {
  const fetching = mint()
    .then(({ text, lifetimeMs }) => {
      const now = clock.now();
      known.text = text;
      known.renewAt = now + lifetimeMs - Math.min(RENEW_BEFORE_MS, lifetimeMs / 5);
      known.endsAt = now + lifetimeMs - Math.min(SPARE_MS, lifetimeMs / 10);
      return text;
    })
    .finally(() => {
      known.fetching = undefined;
    });
  known.fetching = fetching;
  return fetching;
}
