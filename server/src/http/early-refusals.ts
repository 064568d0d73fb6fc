// Lines in the request log for requests that were refused before anything was relayed: no token, a token that may not, a
// head or body that cannot be read, a path that is not there (contract-2 7). Refusing is cheap and stays so: under attack
// only a sample is written, by token, and all who have none share one.
import type { Principal } from '../access/principal.ts';
import type { GatewayError } from '../errors/gateway-error.ts';
import { failedRow } from '../relay/outcome.ts';
import type { Clock } from '../shared/clock.ts';

export interface EarlyRefusal {
  requestId: string;
  path: string;
  /** performance.now() when the request arrived. */
  startedAt: number;
  /** Absent where no token was known. */
  principal: Principal | undefined;
  failure: GatewayError;
}

export interface EarlyRefusalsSettings {
  ledger: { log(line: ReturnType<typeof failedRow>): Promise<unknown> };
  clock: Clock;
  /** Milliseconds of a clock that nobody can set. */
  now?(): number;
}

/** So many lines at once, and one more each second, for each token and for all who have none. */
const BURST = 60;
const LINE_MS = 1_000;
/** Tokens that are remembered; more than that refused at once is an attack by itself. */
const MOST_TOKENS = 1_000;
/** Busy, not wrong: a request that waits for its twin, comes too fast, or whose client left. */
const PASSING = new Set([408, 409, 429, 499]);

const NOBODY = { accountId: '', tokenId: '', group: '', mode: 'live' } as const;

/** Not the id of any token. */
const LOOK_UPS = '?';

interface Bucket {
  lines: number;
  filledAt: number;
}

export class EarlyRefusals {
  readonly #settings: Required<EarlyRefusalsSettings>;
  readonly #buckets = new Map<string, Bucket>();

  constructor(settings: EarlyRefusalsSettings) {
    this.#settings = { now: () => performance.now(), ...settings };
  }

  /** Writes a line, unless the request has one or too many came before it. Never fails: no caller waits for it. */
  note({ requestId, path, startedAt, principal, failure }: EarlyRefusal): void {
    const { status } = failure;
    if (failure.isLogged || status < 400 || status > 499 || PASSING.has(status)) return;
    const { tokenId } = principal ?? NOBODY;
    if (!this.#take(tokenId)) return;
    const facts = { requestId, endpoint: path, principal: principal ?? NOBODY, model: null, attempts: [], startedAt };
    const row = failedRow({ ...facts, createdAt: this.#settings.clock.now() }, failure);
    this.#settings.ledger.log(row).catch(() => undefined);
  }

  /** Whether the token of a request may be looked up for its line alone. */
  mayLookUp(): boolean {
    return this.#take(LOOK_UPS);
  }

  #take(key: string): boolean {
    const filledAt = this.#settings.now();
    const bucket = this.#buckets.get(key) ?? { lines: BURST, filledAt };
    const lines = Math.min(BURST, bucket.lines + (filledAt - bucket.filledAt) / LINE_MS);
    if (lines < 1) return false;
    if (this.#buckets.size >= MOST_TOKENS) this.#buckets.clear();
    this.#buckets.set(key, { lines: lines - 1, filledAt });
    return true;
  }
}
