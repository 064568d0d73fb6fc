// Calls that go on at their upstream after they were answered. Each keeps its hold until its end is known, and the first
// to know settles it: a client that asks, or the gateway itself, which polls and at the deadline charges without an answer.
import { unixSeconds } from '../../shared/clock.ts';
import {
  addBackgroundCall,
  claimDueCalls,
  findBackgroundCalls,
  type OpenBackgroundCall,
  removeBackgroundCall,
} from '../../store/queries/background-calls.ts';
import type { Store } from '../../store/store.ts';
import type { Protocol, WholeAnswer } from '../../protocols/protocol.ts';
import { UpstreamError } from '../../providers/upstream-error.ts';
import { billLater, type LaterBill, readDetail } from './background-bill.ts';
import { Cancellation } from '../../providers/cancellation.ts';
import { askChannelKey } from './relay-stored.ts';
import type { RelayDependencies } from '../relay-request.ts';

/** How a call stands, as its protocol reads it. */
export interface BackgroundState {
  isOver: boolean;
  /** Over, and with something to charge for. */
  isDue: boolean;
  answer: WholeAnswer;
}

/** Calls of one protocol that may go on. */
export interface BackgroundKind {
  protocol: Protocol;
  /** undefined when the bytes do not show it. */
  readState(body: Buffer): BackgroundState | undefined;
}

export interface BackgroundSettings {
  store: Store;
  relay: RelayDependencies;
  kinds: readonly BackgroundKind[];
  /** Called with failures, which end nothing: the next round tries again. */
  onError(error: unknown): void;
  intervalMs?: number;
}

/** A call to keep, with what its charge will need. */
export interface KeptCall {
  accountId: string;
  upstreamId: string;
  channelId: string;
  keyId: string;
  bill: LaterBill;
}

const INTERVAL_MS = 1_000;
/** Nobody is known to work on one answer for longer. */
export const DEADLINE_SECONDS = 24 * 3_600;
const SOONEST_SECONDS = 2;
const LATEST_SECONDS = 300;
const MAX_ASKED = 20;
const ASK_MS = 30_000;

export class BackgroundCalls {
  readonly #settings: BackgroundSettings;
  readonly #asking = new Set<Cancellation>();
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;

  constructor(settings: BackgroundSettings) {
    this.#settings = settings;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#round ??= this.round()
        .catch(this.#settings.onError)
        .finally(() => {
          this.#round = undefined;
        });
    }, this.#settings.intervalMs ?? INTERVAL_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    for (const cancellation of this.#asking)
      cancellation.cancel(new UpstreamError('aborted', 'the gateway is stopping'));
    await this.#round;
  }

  /** Durable when it resolves; false when the hold has ended already. */
  keep({ accountId, upstreamId, channelId, keyId, bill }: KeptCall): Promise<boolean> {
    const now = unixSeconds(this.#settings.relay.clock);
    return addBackgroundCall(this.#settings.store, {
      hold_id: bill.request.id,
      account_id: accountId,
      upstream_id: upstreamId,
      channel_id: channelId,
      key_id: keyId,
      detail: JSON.stringify(bill),
      ask_at: now + SOONEST_SECONDS,
      deadline: now + DEADLINE_SECONDS,
      created_at: now,
    });
  }

  /** A client was answered with its state: when it is over, that is what it costs. */
  async settle(accountId: string, upstreamId: string, body: Buffer): Promise<void> {
    const calls = await this.#find(accountId, upstreamId);
    for (const call of calls) {
      const state = this.#kindOf(call).readState(body);
      if (state?.isOver === true) await this.#end(call, state);
    }
  }

  /** Asks the upstream now; what gives no answer stays open. */
  async ask(accountId: string, upstreamId: string): Promise<void> {
    for (const call of await this.#find(accountId, upstreamId)) await this.#ask(call, undefined);
  }

  /** Its end will never be known: all that it may have come to is charged. */
  async giveUp(accountId: string, upstreamId: string): Promise<void> {
    for (const call of await this.#find(accountId, upstreamId)) await this.#end(call, undefined);
  }

  /** Asks about everything that is due now. */
  async round(): Promise<void> {
    const { store, relay } = this.#settings;
    const now = unixSeconds(relay.clock);
    const nextAsk = ({ created_at, deadline }: OpenBackgroundCall): number => {
      const pause = Math.min(LATEST_SECONDS, Math.max(SOONEST_SECONDS, Math.ceil((now - created_at) / 2)));
      return now < deadline ? Math.min(now + pause, deadline) : now + LATEST_SECONDS;
    };
    const calls = await claimDueCalls(store, { now, limit: MAX_ASKED, nextAsk });
    await Promise.all(calls.map((call) => this.#ask(call, now).catch(this.#settings.onError)));
  }

  #kindOf(call: OpenBackgroundCall): BackgroundKind {
    const { operation = 'responses' } = readDetail(call.detail);
    const kind = this.#settings.kinds.find(({ protocol }) => protocol.operation === operation);
    if (kind === undefined) throw new Error(`nobody reads a call of ${operation}`);
    return kind;
  }

  #find(accountId: string, upstreamId: string): Promise<OpenBackgroundCall[]> {
    return findBackgroundCalls(this.#settings.store, { accountId, upstreamId });
  }

  async #ask(call: OpenBackgroundCall, now: number | undefined): Promise<void> {
    const state = call.price === undefined ? undefined : await this.#stateOf(call);
    if (state?.isOver === true) await this.#end(call, state);
    else if (call.price === undefined || (now !== undefined && now >= call.deadline)) await this.#end(call, undefined);
  }

  /** undefined when the upstream cannot be asked. */
  async #stateOf(call: OpenBackgroundCall): Promise<BackgroundState | undefined> {
    const { relay } = this.#settings;
    const { protocol, readState } = this.#kindOf(call);
    const cancellation = new Cancellation();
    this.#asking.add(cancellation);
    cancellation.limit(ASK_MS);
    try {
      const question = { protocol, method: 'GET', path: `/${encodeURIComponent(call.upstream_id)}` } as const;
      const channelKey = { channelId: call.channel_id, keyId: call.key_id, accountId: call.account_id };
      const { body } = await askChannelKey(relay, question, { channelKey, cancellation, attempts: [] });
      return readState(body);
    } catch {
      return undefined;
    } finally {
      this.#asking.delete(cancellation);
    }
  }

  /** The first end counts; later ones find the hold gone and change nothing. */
  async #end(call: OpenBackgroundCall, state: BackgroundState | undefined): Promise<void> {
    const { store, relay } = this.#settings;
    const { protocol } = this.#kindOf(call);
    if (call.price !== undefined) {
      const { row, isDue } = billLater(readDetail(call.detail), { price: call.price, protocol, state });
      const ended = await (isDue ? relay.ledger.settle(row) : relay.ledger.release(row));
      if (ended === 'settled') relay.router.charged({ channelId: call.channel_id, keyId: call.key_id }, row.charge);
      relay.metrics.ended(row);
    }
    await removeBackgroundCall(store, call.hold_id);
  }
}
