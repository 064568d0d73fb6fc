// Whose key it is: TOLLGATE_OPERATOR_KEY, or one that operators made. Keys are looked up on each request, so that a change
// counts everywhere at once. Wrong ones are counted by address, in the store, and written to the audit log.
import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../../errors/gateway-error.ts';
import { wait } from '../../shared/wait.ts';
import { findOperatorKeyByHash, type OperatorKeyRow } from '../../store/queries/operator-keys.ts';
import type { OperatorDependencies } from '../dependencies.ts';
import { KEY_PREFIX } from '../records/operator-keys.ts';
import { addressOf } from './address-of.ts';
import { TextCache } from './text-cache.ts';
import { digest } from './session-cookie.ts';
import { auditGuess } from './throttle/audit-guess.ts';
import { GuessCounts } from './throttle/guess-counts.ts';
import { networkOf } from './throttle/network-of.ts';
import { PER_ADDRESS, THROTTLED_MS, tooManyGuesses } from './throttle/sign-in-throttle.ts';

export interface KeyHolder {
  /** Stands in the audit log. */
  name: string;
  role: OperatorKeyRow['role'];
}

const OPERATOR_KEY_NAME = 'operator-key';

export type KeyReaderDependencies = Pick<OperatorDependencies, 'store' | 'clock' | 'operatorKey'>;

export class KeyReader {
  readonly #dependencies: KeyReaderDependencies;
  readonly #settingHash: Buffer | undefined;
  readonly #counts: GuessCounts;
  /** Wrong keys by address: the same one again, such as that of a forgotten script, is not another guess. */
  readonly #wrong = new TextCache();
  readonly #networks = new TextCache();

  constructor(dependencies: KeyReaderDependencies) {
    this.#dependencies = dependencies;
    this.#settingHash =
      dependencies.operatorKey === undefined ? undefined : Buffer.from(digest(dependencies.operatorKey));
    this.#counts = new GuessCounts(dependencies);
  }

  /** Throws 401, or 429 for an address that has guessed too often. */
  async read(authorization: string, address: string): Promise<KeyHolder> {
    const key = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    const hash = digest(key ?? '');
    if (key !== undefined && this.#isSetting(hash)) {
      await this.#checkNetwork(networkOf(address));
      return { name: OPERATOR_KEY_NAME, role: 'admin' };
    }
    const made = key?.startsWith(KEY_PREFIX)
      ? await findOperatorKeyByHash(this.#dependencies.store.reads, hash)
      : undefined;
    if (made === undefined) throw await this.#refuse(hash, address);
    if (made.status !== 'enabled')
      throw new GatewayError('token_disabled', { message: 'The operator key is disabled.' });
    if (made.expires_at !== null && made.expires_at <= this.#counts.now)
      throw new GatewayError('token_expired', { message: 'The operator key has expired.' });
    return { name: `key:${made.name}`, role: made.role };
  }

  /** For /metrics, which every role may read. Throws 429 only. */
  async hasKey(request: FastifyRequest, from: Pick<OperatorDependencies, 'trustedProxies'>): Promise<boolean> {
    const { authorization } = request.headers;
    if (authorization === undefined) return false;
    try {
      await this.read(authorization, addressOf(request, from));
      return true;
    } catch (error) {
      if (error instanceof GatewayError && error.status === 401) return false;
      throw error;
    }
  }

  #isSetting(hash: string): boolean {
    return this.#settingHash !== undefined && timingSafeEqual(Buffer.from(hash), this.#settingHash);
  }

  /**
   * People choose the key of the settings, so it may be one that can be guessed: where too many were wrong it is refused
   * too, unless it has been right there before. Made keys cannot be guessed, and are never refused.
   */
  async #checkNetwork(network: string): Promise<void> {
    if (this.#networks.has(network)) return;
    const subjects = { address: `key address ${network}`, known: `known ${OPERATOR_KEY_NAME} ${network}` };
    try {
      if ((await this.#counts.find(subjects.known)) === undefined) {
        const count = await this.#counts.find(subjects.address);
        if (count !== undefined && count.failures > PER_ADDRESS) throw tooManyGuesses(count.endsAt - this.#counts.now);
      }
      await this.#counts.remember(subjects.known);
      this.#networks.add(network);
    } catch (error) {
      // Without the store nothing can be counted, and a monitor needs the metrics most.
      if (error instanceof GatewayError) throw error;
    }
  }

  async #refuse(hash: string, address: string): Promise<GatewayError> {
    const startedAt = performance.now();
    const network = networkOf(address);
    const subject = `key address ${network}`;
    const guess = `${network} ${hash}`;
    const isAgain = this.#wrong.has(guess);
    this.#wrong.add(guess);
    const byAddress = isAgain ? await this.#counts.find(subject) : await this.#counts.add(subject);
    if (byAddress !== undefined && !isAgain)
      await auditGuess(this.#dependencies.store, this.#counts, {
        action: 'operator_key.refuse',
        address,
        reason: 'The operator key is not valid.',
        byAddress,
      });
    if (byAddress === undefined || byAddress.failures <= PER_ADDRESS)
      return new GatewayError('invalid_api_key', { message: 'The operator key is not valid.' });
    await wait(Math.max(0, startedAt + THROTTLED_MS - performance.now()));
    return tooManyGuesses(byAddress.endsAt - this.#counts.now);
  }
}
