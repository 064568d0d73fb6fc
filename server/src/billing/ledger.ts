// Reserve, settle, release: the words the relay uses for money. Every hold made here is ended exactly once, by its call
// or, when this process is gone, by the sweeper of another.
import { GatewayError } from '../errors/gateway-error.ts';
import { amountWith } from '../store/ledger/amount-to-hold.ts';
import { writeCheckpoint } from '../store/ledger/checkpoint.ts';
import type { EndOperation, EndResult, HoldResult, RequestRow } from '../store/ledger/operations.ts';
import { freeMoney, leastMoney } from '../store/queries/free-money.ts';
import type { Store } from '../store/store.ts';
import { type Clock, unixSeconds } from '../shared/clock.ts';
import { formatAmount } from './money.ts';

export interface HoldRequest {
  requestId: string;
  accountId: string;
  tokenId: string;
  mode: 'live' | 'test';
  amount: bigint;
  /** All that it can come to, where that is more: held instead when there is little left. */
  most?: bigint | undefined;
  /** Price and multiplier in force now, as JSON text: kept with the hold. */
  price: string;
  /** Seconds after which the hold may be ended by anybody. */
  lifetime: number;
  /** The caller's field that would make the request cheaper. */
  limitField?: string | undefined;
}

/** A client that asks again at once would pay twice. */
const CHARGED_LATER =
  'What was sent will be charged, but that could not be confirmed in time. Send the request again only if you need another answer.';

const REFUSALS = {
  balance_too_low: ["account's balance", 'credit'],
  quota_too_low: ["token's quota", 'a higher quota'],
  budget_too_low: ["account's budget", 'a higher budget'],
  cap_too_low: ['cap of the member who made this token', 'a higher cap'],
} as const;

export interface LedgerDependencies {
  store: Store;
  clock: Clock;
  owner: string;
  /** The database's clock, where it is known: holds expire by that one, whatever ours says. */
  storeNow?: () => number | undefined;
}

export class Ledger {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #owner: string;
  readonly #storeNow: () => number | undefined;
  readonly #unended = new Map<string, EndOperation>();

  constructor(dependencies: LedgerDependencies) {
    this.#store = dependencies.store;
    this.#clock = dependencies.clock;
    this.#owner = dependencies.owner;
    this.#storeNow = dependencies.storeNow ?? (() => undefined);
  }

  /** Resolves when the hold is durable; throws 402 when balance or quota does not cover it. */
  async hold(request: HoldRequest): Promise<void> {
    const at = unixSeconds(this.#clock);
    const result = await this.#store.commit({
      kind: 'hold',
      hold: {
        id: request.requestId,
        request_id: request.requestId,
        task_id: null,
        account_id: request.accountId,
        token_id: request.tokenId,
        amount: request.amount,
        mode: request.mode,
        price: request.price,
        owner: this.#owner,
        expires_at: (this.#storeNow() ?? at) + request.lifetime,
        created_at: at,
      },
      ...(request.most !== undefined && { most: request.most }),
    });
    if (result !== 'held') throw await tooLow(this.#store, result, { ...request, at });
  }

  /** The most that could be held for this token now. */
  free({ tokenId, mode }: Pick<HoldRequest, 'tokenId' | 'mode'>): Promise<bigint> {
    return freeMoney(this.#store, { tokenId, mode, at: unixSeconds(this.#clock) });
  }

  /** What `hold` would hold now, whether it is there or not, and what is there. */
  async foresee({
    tokenId,
    mode,
    ...asked
  }: Pick<HoldRequest, 'tokenId' | 'mode' | 'amount' | 'most'>): Promise<{ amount: bigint; free: bigint }> {
    const { amount: free, held } = await leastMoney(this.#store, { tokenId, mode, at: unixSeconds(this.#clock) });
    return { amount: amountWith(asked, { free, held }), free };
  }

  /**
   * Resolves when the charge is durable. Anything but `settled` means that somebody else ended the hold before. What was
   * delivered already stays due: a charge that cannot be written now is kept and tried again (`finishEnds`).
   */
  async settle(request: RequestRow, { isDelivered = false } = {}): Promise<EndResult> {
    try {
      return await this.#store.commit(this.#settleOf(request));
    } catch (error) {
      throw isDelivered ? this.keepDue(request, error) : error;
    }
  }

  /** A charge that will be written when it can be, instead of any other end. Returns the error for its client and the log. */
  keepDue(request: RequestRow, cause: unknown): GatewayError {
    const reported = new GatewayError('overloaded', { message: CHARGED_LATER, cause });
    this.#unended.set(
      request.id,
      this.#settleOf({ ...request, error_code: request.error_code ?? reported.publicCode }),
    );
    return reported;
  }

  #settleOf(request: RequestRow): EndOperation {
    return {
      kind: 'end',
      holdId: request.id,
      charge: request.charge,
      usageSource: request.usage_source,
      at: unixSeconds(this.#clock),
      note: null,
      request,
    };
  }

  /** What a call has come to so far: charged if this process dies. Durable when it resolves. */
  checkpoint(request: RequestRow): Promise<unknown> {
    return this.#store.commit({ kind: 'checkpoint', holdId: request.id, checkpoint: writeCheckpoint(request) });
  }

  /** Gives the whole hold back, unless a charge is due. What cannot be written now is kept and tried again (`finishEnds`). */
  async release(request: RequestRow): Promise<EndResult> {
    if (this.#unended.has(request.id)) return 'unknown';
    const end: EndOperation = {
      kind: 'end',
      holdId: request.id,
      charge: null,
      usageSource: null,
      at: unixSeconds(this.#clock),
      note: request.error_code,
      request,
    };
    try {
      return await this.#store.commit(end);
    } catch (error) {
      this.#unended.set(end.holdId, end);
      throw error;
    }
  }

  /** Gives back a hold that nothing was asked for: it has no line in the request log. */
  async giveBack(holdId: string): Promise<EndResult> {
    const at = unixSeconds(this.#clock);
    const end: EndOperation = {
      kind: 'end',
      holdId,
      charge: null,
      usageSource: null,
      at,
      note: 'unused',
      request: null,
    };
    try {
      return await this.#store.commit(end);
    } catch (error) {
      this.#unended.set(holdId, end);
      throw error;
    }
  }

  /** Tries the ends again that failed, all of them; for a round now and then. Rejects when some failed again. */
  async finishEnds(): Promise<void> {
    const outcomes = await Promise.allSettled(
      Array.from(this.#unended.values(), async (end) => {
        await this.#store.commit(end);
        this.#unended.delete(end.holdId);
      }),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** A request that cost nothing and held nothing. */
  log(request: RequestRow): Promise<unknown> {
    return this.#store.commit({ kind: 'log', request });
  }
}

/** 402, saying what does not cover the amount, what of it is left, and what helps. */
export async function tooLow(
  store: Store,
  result: Exclude<HoldResult, 'held'>,
  {
    amount,
    most,
    limitField,
    ...asked
  }: Pick<HoldRequest, 'tokenId' | 'mode' | 'amount' | 'most' | 'limitField'> & { at: number },
): Promise<GatewayError> {
  const [what, remedy] = REFUSALS[result];
  const left = formatAmount(await freeMoney(store, asked));
  const orElse = limitField === undefined ? '' : `, or lower ${limitField}`;
  return new GatewayError('insufficient_quota', {
    message: `The ${what} (${left} left) does not cover this request, which may cost up to ${formatAmount(most ?? amount)}. Ask the operator for ${remedy}${orElse}.`,
  });
}
