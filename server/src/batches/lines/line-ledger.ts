// The money of one line. Its hold was made with the batch; its answer is durable before the charge is, so that whatever
// crashes, a line that was charged has its answer. A failure is not the end of the line: its runner decides.
import { Ledger, type LedgerDependencies } from '../../billing/ledger.ts';
import type { EndResult, RequestRow } from '../../store/ledger/operations.ts';

export class LineLedger extends Ledger {
  /** The line of the request log for an attempt that failed. */
  failed: RequestRow | undefined;
  /** The charge is durable. */
  settled: RequestRow | undefined;
  readonly #beforeSettle: (row: RequestRow) => Promise<void>;

  constructor(dependencies: LedgerDependencies, beforeSettle: (row: RequestRow) => Promise<void>) {
    super(dependencies);
    this.#beforeSettle = beforeSettle;
  }

  override async hold(): Promise<void> {}

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
