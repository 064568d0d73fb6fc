// The money of one line. Its hold was made with the batch; its answer is durable before the charge is, so that whatever
// crashes, a line that was charged has its answer. A failure is not the end of the line: its runner decides.
import { type HoldRequest, Ledger, type LedgerDependencies } from '../../billing/ledger.ts';
import { formatAmount } from '../../billing/money.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { EndResult, RequestRow } from '../../store/ledger/operations.ts';

export class LineLedger extends Ledger {
  /** What was held for it with the batch; undefined where that hold is open no more. */
  held: bigint | undefined;
  /** The line of the request log for an attempt that failed. */
  failed: RequestRow | undefined;
  /** The charge is durable. */
  settled: RequestRow | undefined;
  readonly #beforeSettle: (row: RequestRow) => Promise<void>;

  constructor(dependencies: LedgerDependencies, beforeSettle: (row: RequestRow) => Promise<void>) {
    super(dependencies);
    this.#beforeSettle = beforeSettle;
  }

  /** Only by now is it known what the line is with all that it names. What is not held is not spent (promise M-02). */
  override async hold({ amount }: Pick<HoldRequest, 'amount'>): Promise<void> {
    if (this.held === undefined || amount <= this.held) return;
    const [most, held] = [formatAmount(amount), formatAmount(this.held)];
    throw new GatewayError('insufficient_quota', {
      message: `This line may cost up to ${most}, but only ${held} was held for it when its batch was made. Send it in a new batch.`,
    });
  }

  override async free(): Promise<bigint> {
    return this.held ?? 0n;
  }

  override async settle(row: RequestRow): Promise<EndResult> {
    await this.#beforeSettle(row);
    const result = await super.settle(row);
    if (result === 'settled') this.settled = row;
    return result;
  }

  override async release(row: RequestRow): Promise<EndResult> {
    this.failed = row;
    return 'released';
  }

  override async log(row: RequestRow): Promise<unknown> {
    this.failed = row;
    return undefined;
  }
}
