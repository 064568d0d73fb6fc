// May it, by the head of a request alone: token, origin and address, before any of the body is read. The rest of the answer
// needs the body (relay/admit.ts). Turns the text of an access token into its principal: tokens seen a moment ago are answered
// from memory; the change notices of operators (change-watch.ts) take them out again.
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../errors/gateway-error.ts';
import { type Clock, unixSeconds } from '../shared/clock.ts';
import { findPrincipal } from '../store/queries/principals.ts';
import type { Reads } from '../store/store.ts';
import { hashAccessToken } from './access-token.ts';
import { type CarrierStyle, type CredentialRequest, findCredentials, severalKeys } from './credentials.ts';
import { type Principal, readPrincipal } from './principal.ts';
import { missingCredential } from './missing-credential.ts';

export interface AuthenticatorSettings {
  reads: Reads;
  clock: Clock;
  /** Tokens kept in memory. */
  size?: number;
  /** A store that takes longer to answer counts as out of reach. */
  lookupMs?: number;
}

const SIZE = 10_000;
const LOOKUP_MS = 5_000;

export class Authenticator {
  readonly #reads: Reads;
  readonly #clock: Clock;
  readonly #lookupMs: number;
  /** By the key's hash; the keys themselves stay nowhere. */
  readonly #known: LRUCache<string, Principal>;
  readonly #lookups = new Map<string, Promise<Principal | undefined>>();

  constructor({ reads, clock, size = SIZE, lookupMs = LOOKUP_MS }: AuthenticatorSettings) {
    this.#reads = reads;
    this.#clock = clock;
    this.#lookupMs = lookupMs;
    this.#known = new LRUCache({ max: size });
  }

  /**
   * At once for a token seen a moment ago, else after one indexed lookup. Text that cannot be a key takes the same way
   * as a key that nobody has, so that neither answer nor time tells them apart.
   */
  authenticate(key: string): Principal | Promise<Principal> {
    const keyHash = hashAccessToken(key);
    const known = this.#known.get(keyHash);
    if (known !== undefined) return this.#check(known);
    return this.#lookUpOnce(keyHash).then((principal) => this.#check(principal));
  }

  /** Of several keys that differ the one that is known counts; two that are known are refused (contract-2 7). */
  async authenticateOneOf(keys: readonly string[]): Promise<Principal> {
    const results = await Promise.allSettled(keys.map(async (key) => this.authenticate(key)));
    const known = results.filter(
      (one) => one.status === 'fulfilled' || (one.reason as GatewayError).code !== 'invalid_api_key',
    );
    const [first] = known;
    if (first === undefined) throw new GatewayError('invalid_api_key');
    if (known.length > 1) throw severalKeys();
    if (first.status === 'rejected') throw first.reason;
    return first.value;
  }

  forgetToken(tokenId: string): void {
    this.#forget((principal) => principal.tokenId === tokenId);
  }

  forgetAccount(accountId: string): void {
    this.#forget((principal) => principal.accountId === accountId);
  }

  forgetAll(): void {
    this.#forget(() => true);
  }

  #forget(concerned: (principal: Principal) => boolean): void {
    for (const [keyHash, principal] of this.#known.entries()) {
      if (concerned(principal)) this.#known.delete(keyHash);
    }
    this.#lookups.clear(); // what they read may be older than the change: nobody joins them, nothing of them is kept
  }

  #lookUpOnce(keyHash: string): Promise<Principal | undefined> {
    const running = this.#lookups.get(keyHash);
    if (running !== undefined) return running;
    const lookup = this.#lookUp(keyHash).then(
      (principal) => {
        if (this.#end(keyHash, lookup) && principal !== undefined) this.#known.set(keyHash, principal);
        return principal;
      },
      (cause: unknown) => {
        this.#end(keyHash, lookup);
        throw new GatewayError('overloaded', { retryAfter: 1, cause });
      },
    );
    this.#lookups.set(keyHash, lookup);
    return lookup;
  }

  /** False when a change overtook the lookup. */
  #end(keyHash: string, lookup: Promise<unknown>): boolean {
    return this.#lookups.get(keyHash) === lookup && this.#lookups.delete(keyHash);
  }

  async #lookUp(keyHash: string): Promise<Principal | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('the store did not answer in time')), this.#lookupMs);
    });
    try {
      const row = await Promise.race([findPrincipal(this.#reads, keyHash), tooLate]);
      return row === undefined ? undefined : readPrincipal(row);
    } finally {
      clearTimeout(timer);
    }
  }

  /** On each call, also for a token from memory: time passes there too. */
  #check(principal: Principal | undefined): Principal {
    const now = unixSeconds(this.#clock);
    if (principal === undefined || (principal.keyEndsAt !== undefined && principal.keyEndsAt <= now)) {
      throw new GatewayError('invalid_api_key');
    }
    return checkAlive(principal, now);
  }
}

/** Throws where token or account may not be used any more. */
export function checkAlive(principal: Principal, now: number): Principal {
  if (principal.status !== 'enabled') throw new GatewayError('token_disabled');
  if (principal.expiresAt !== undefined && principal.expiresAt <= now) throw new GatewayError('token_expired');
  if (principal.accountStatus !== 'active') throw new GatewayError('account_disabled');
  return principal;
}

/** The principal of the key that the head carries: at once for a key seen a moment ago. Throws 401 or 403. */
export function admitToken(
  authenticator: Pick<Authenticator, 'authenticate' | 'authenticateOneOf'>,
  head: CredentialRequest,
  style: CarrierStyle,
): Principal | Promise<Principal> {
  const [key, ...others] = findCredentials(head, style);
  if (key === undefined) throw missingCredential(head, style);
  return others.length === 0 ? authenticator.authenticate(key) : authenticator.authenticateOneOf([key, ...others]);
}

/** Whether the token may be used from this page and this address. Throws 403. */
export function admitOrigin(
  principal: Pick<Principal, 'origins' | 'ipAllow'>,
  { origin, address }: { origin: string | undefined; address: string },
): void {
  const { origins, ipAllow } = principal;
  // Servers send no origin (contract-2 7).
  if (origin !== undefined && origins !== undefined && !origins.includes(origin))
    throw new GatewayError('origin_not_allowed');
  if (ipAllow?.matches(address) === false) throw new GatewayError('ip_not_allowed');
}
