// Whom the lines of a batch act for: the token that made it, as it is now. Of every limit of its rate policies lines use half
// at most, so that live requests of the same account always find room (contract-2 8).
import { checkAlive } from '../../access/authenticate.ts';
import { type Principal, readPrincipal } from '../../access/principal.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { type Clock, unixSeconds } from '../../shared/clock.ts';
import { findPrincipalOfToken } from '../../store/queries/principals.ts';
import type { Store } from '../../store/store.ts';

/** A token that is disabled ends its lines after so long at the latest. */
const KNOWN_MS = 2_000;
const MOST_KNOWN = 1_000;

export class LinePrincipals {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #known = new Map<string, { at: number; principal: Promise<Principal | undefined> }>();

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Throws where the token may not be used any more. */
  async find(tokenId: string): Promise<Principal> {
    const principal = await this.#lookUp(tokenId);
    if (principal === undefined) throw new GatewayError('invalid_api_key');
    return checkAlive(principal, unixSeconds(this.#clock));
  }

  #lookUp(tokenId: string): Promise<Principal | undefined> {
    const at = this.#clock.now();
    const known = this.#known.get(tokenId);
    if (known !== undefined && Math.abs(at - known.at) < KNOWN_MS) return known.principal;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    const principal = findPrincipalOfToken(this.#store.reads, tokenId).then((row) => row && halved(readPrincipal(row)));
    this.#known.set(tokenId, { at, principal });
    principal.catch(() => this.#known.delete(tokenId));
    return principal;
  }
}

function halved(principal: Principal): Principal {
  const half = (limit: number | undefined): number | undefined => limit && Math.max(1, Math.floor(limit / 2));
  const rateSubjects = principal.rateSubjects.map(({ key, rate: { rpm, tpm, concurrency } }) => ({
    key,
    rate: { rpm: half(rpm), tpm: half(tpm), concurrency: half(concurrency) },
  }));
  return { ...principal, rateSubjects };
}
