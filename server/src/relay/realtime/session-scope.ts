// What every part of one session works with: who it is for, where it goes, and how its money is held and ended.
import type { Principal } from '../../access/principal.ts';
import type { Catalogue, Model } from '../../catalogue/catalogue.ts';
import { modelAccess } from '../../catalogue/visible-models.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { plainText } from '../../shared/plain-text.ts';
import type { RequestRow } from '../../store/ledger/operations.ts';
import type { Used } from '../usage-report.ts';
import { ANSWER_WAIT_MS, NOTHING_USED, type OutcomeFacts, requestRow } from '../outcome.ts';
import { within } from '../../shared/wait.ts';
import type { RelayDependencies } from '../relay-request.ts';
import type { ChannelKeyId } from '../../routing/affinity.ts';
import type { AttemptRecord } from '../try-candidates.ts';
import { RealtimeBill } from './realtime-bill.ts';

export const ENDPOINT = '/v1/realtime';
/** No upstream keeps a session for longer. */
export const MOST_SESSION_SECONDS = 7_200;
const HOLD_MARGIN_SECONDS = 300;

export interface SessionOptions {
  dependencies: RelayDependencies;
  requestId: string;
  /** The public name of the model. */
  model: string;
  attempts: AttemptRecord[];
  /** Whom it is for as of now; throws when its token may no longer be used. */
  refresh(): Principal | Promise<Principal>;
}

/** Money for one response or one transcript. */
export interface Held {
  requestId: string;
  amount: bigint;
  bill: RealtimeBill;
  principal: Principal;
}

/** How something of the session ended. */
export interface Ended {
  held: Held;
  model: string;
  /** performance.now() when it began. */
  startedAt: number;
  firstByteMs: number | null;
  status: number;
  errorCode: string | null;
  /** The upstream's name of it. */
  name: string;
}

export class SessionScope {
  readonly options: SessionOptions;
  /** Which channel key it was opened with. */
  channelKey: ChannelKeyId | undefined;
  #made = 0;

  constructor(options: SessionOptions) {
    this.options = options;
  }

  /** Throws where the token, its account or the model may no longer be used. */
  async check(model = this.options.model): Promise<{ principal: Principal; catalogue: Catalogue; model: Model }> {
    const principal = await this.options.refresh();
    const catalogue = this.options.dependencies.catalogue.current;
    return { principal, catalogue, ...modelAccess(catalogue, principal, model) };
  }

  /** Holds what the bill says; durable when it resolves. Throws 402. */
  async hold(model: string, amountOf: (bill: RealtimeBill, model: Model) => bigint): Promise<Held> {
    const known = await this.check(model);
    const { principal } = known;
    const bill = new RealtimeBill(known.catalogue, known.model, principal.group);
    const requestId = `${this.options.requestId}/${++this.#made}`;
    const amount = amountOf(bill, known.model);
    const { accountId, tokenId, mode } = principal;
    const lifetime = MOST_SESSION_SECONDS + HOLD_MARGIN_SECONDS;
    const { ledger } = this.options.dependencies;
    await ledger.hold({ requestId, accountId, tokenId, mode, amount, price: bill.priceText, lifetime });
    return { requestId, amount, bill, principal };
  }

  /** A hold that nothing was asked for. What cannot be written now, the sweeper ends. */
  async giveBack({ requestId }: Held): Promise<void> {
    await within(ANSWER_WAIT_MS, this.options.dependencies.ledger.giveBack(requestId));
  }

  /** The line of the request log, as of now. */
  row(ended: Ended, used: Used | undefined): RequestRow {
    const { held, status, errorCode, firstByteMs } = ended;
    const facts = this.#facts(ended);
    if (used === undefined) return requestRow(facts, { ...NOTHING_USED, firstByteMs, status, errorCode });
    const { usage, source } = used;
    const { amount, arithmetic } = held.bill.charge(usage);
    const named = { amount, arithmetic: `${arithmetic}; ${plainText(ended.name, 100)}` };
    return requestRow(facts, { status, errorCode, firstByteMs, usage, usageSource: source, charge: named });
  }

  #facts({ held, model, startedAt }: Ended): OutcomeFacts {
    const { dependencies, attempts } = this.options;
    const last = attempts.at(-1);
    const ms = Math.round(performance.now() - startedAt);
    const createdAt = dependencies.clock.now() - ms;
    const own = last === undefined ? [] : [{ ...last, ms }];
    const { requestId, principal } = held;
    return { requestId, endpoint: ENDPOINT, principal, model, createdAt, startedAt, attempts: own };
  }

  /** The charge is durable when this resolves. Throws when it could not be written yet, or the hold was ended before. */
  async settle(ended: Ended, used: Used): Promise<void> {
    const { ledger, metrics, router } = this.options.dependencies;
    const row = this.row(ended, used);
    if ((await ledger.settle(row, { isDelivered: true })) !== 'settled')
      throw new GatewayError('overloaded', { message: 'This response took too long and was given up.' });
    if (this.channelKey !== undefined) router.charged(this.channelKey, row.charge);
    metrics.ended(row);
  }

  /** Nothing is due for it. */
  async release(ended: Ended): Promise<void> {
    const { ledger, metrics } = this.options.dependencies;
    const row = this.row(ended, undefined);
    await within(ANSWER_WAIT_MS, ledger.release(row));
    metrics.ended(row);
  }
}
