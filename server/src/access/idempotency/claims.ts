// Requests with an idempotency key (contract 5): the first one is carried out, those beside it wait for its answer, and
// those after it get that answer again. The store decides who is first, so it holds across processes and restarts.
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import { makeId } from '../../shared/ids.ts';
import type { SecretBox } from '../../shared/secret-box.ts';
import { wait } from '../../shared/wait.ts';
import {
  claimKey,
  findKey,
  type ForeignKeyRow,
  forgetExpired,
  type KeyRow,
  type OwnKey,
  readPiece,
} from '../../store/queries/idempotency.ts';
import type { Store } from '../../store/store.ts';
import { type AnswerHead, Claim } from './claim.ts';

export interface KeyedRequest {
  /** Whose key it is: an account's or an operator's. */
  scope: string;
  key: string;
  /** Of path and body. */
  digest: string;
  /** Where it may make a task, which is found by this after a crash. */
  requestId?: string;
}

export interface KeptAnswer {
  status: number;
  head: AnswerHead;
  body(): AsyncIterable<Buffer>;
}

export interface ClaimsSettings {
  store: Store;
  box: SecretBox;
  /** This process, as it stands in the table of living processes. */
  owner: string;
  /** How long a process may be silent before it is taken for gone. */
  silenceSeconds: number;
  waitMs?: number;
}

const KEEP_SECONDS = 24 * 3600;
const WAIT_MS = 30_000;
const POLL_MS = 150;
/** How often it is asked whether the process of the first request still lives. */
const CLAIM_MS = 2_000;
const TIDY_MS = 600_000;
const LONGEST_KEY = 255;

/** undefined when none was sent; throws when it cannot be one. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && header !== '' && header.length <= LONGEST_KEY) return header;
  throw invalidRequest(`The header "Idempotency-Key" must have 1 to ${LONGEST_KEY} characters.`, 'Idempotency-Key');
}

export class Claims {
  readonly #settings: ClaimsSettings;
  /** Tries of this process that are under way. */
  readonly #attempts = new Set<string>();
  readonly #ends = new Map<string, Promise<void>>();
  #tidiedAt = performance.now();

  constructor(settings: ClaimsSettings) {
    this.#settings = settings;
  }

  /** A claim for the first with its key; else the kept answer, once there is one. Throws 409 and 422. */
  async begin(request: KeyedRequest): Promise<Claim | KeptAnswer> {
    this.#tidy();
    const { store, waitMs = WAIT_MS } = this.#settings;
    const deadline = performance.now() + waitMs;
    for (;;) {
      const claimedAt = performance.now();
      const claim = await this.#claim(request);
      if (claim instanceof Claim) return claim;
      if (claim.orphaned) throw claim.digest === request.digest ? lost() : new GatewayError('idempotency_mismatch');
      let row: KeyRow | undefined = claim;
      while (row !== undefined && row.state !== 'kept' && performance.now() - claimedAt < CLAIM_MS) {
        if (row.digest !== request.digest) throw new GatewayError('idempotency_mismatch');
        if (performance.now() >= deadline) throw new GatewayError('request_in_progress', { retryAfter: 1 });
        const here = this.#ends.get(nameOf(request));
        await (here === undefined ? wait(POLL_MS) : Promise.race([wait(POLL_MS), here]));
        row = await findKey(store, request);
      }
      if (row?.state !== 'kept') continue;
      if (row.digest !== request.digest) throw new GatewayError('idempotency_mismatch');
      return this.#kept(row);
    }
  }

  async #claim(request: KeyedRequest): Promise<Claim | ForeignKeyRow> {
    const { store, box, owner, silenceSeconds } = this.#settings;
    const attempt = makeId('try');
    this.#attempts.add(attempt); // before anybody can find it in the store
    const end = (): void => void this.#attempts.delete(attempt);
    let found: OwnKey | ForeignKeyRow;
    try {
      found = await claimKey(store, {
        ...request,
        attempt,
        owner,
        silenceSeconds,
        keepSeconds: KEEP_SECONDS,
        runsHere: (other) => this.#attempts.has(other),
      });
    } catch (error) {
      end();
      throw error instanceof GatewayError ? error : new GatewayError('overloaded', { retryAfter: 1, cause: error });
    }
    if (!found.isOwn) {
      end();
      return found;
    }
    const name = nameOf(request);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ends.set(name, promise);
    const onEnd = (): void => {
      end();
      if (this.#ends.get(name) === promise) this.#ends.delete(name);
      resolve();
    };
    return new Claim({ store, box, scope: request.scope, key: request.key, attempt, made: found.made, onEnd });
  }

  #kept({ status, head, attempt }: KeyRow): KeptAnswer {
    const { store, box } = this.#settings;
    if (status === null || head === null) throw lost();
    return {
      status,
      head: JSON.parse(box.open(head)) as AnswerHead,
      async *body() {
        for (let position = 0; ; position++) {
          const piece = await readPiece(store, attempt, position);
          if (piece === undefined) return;
          yield box.openBytes(piece);
        }
      },
    };
  }

  #tidy(): void {
    if (performance.now() - this.#tidiedAt < TIDY_MS) return;
    this.#tidiedAt = performance.now();
    forgetExpired(this.#settings.store).catch(() => {}); // the next round tries again
  }
}

function lost(): GatewayError {
  return new GatewayError('conflict', {
    message: 'The first request with this idempotency key was carried out, but its answer is not known any more.',
  });
}

function nameOf({ scope, key }: KeyedRequest): string {
  return `${scope} ${key}`;
}
