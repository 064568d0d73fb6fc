// The charge of a call whose end is known only long after it was answered: by the price at its hold, as far as what was
// kept of the request lets the upstream's report be true.
import { readAgreed } from '../../billing/agreed-price.ts';
import type { ToolLimits } from '../../neutral/usage.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { Operation, Protocol, WholeAnswer } from '../../protocols/protocol.ts';
import type { RequestRow } from '../../store/ledger/operations.ts';
import { Bill } from '../bill.ts';
import type { BilledRequest } from '../billed-request.ts';
import { reportBySize } from '../usage-report.ts';
import { wireUsage } from '../outcome.ts';

/** Kept as JSON. */
export interface LaterBill {
  /** Of the protocol that it was asked in; absent where an older version kept it: then it is a response. */
  operation?: Operation;
  /** The line of the request log, as far as it is known. */
  request: Omit<RequestRow, 'usage' | 'usage_source' | 'charge' | 'arithmetic'>;
  size: BilledRequest;
  /** How often it lets tools be used. */
  toolLimits?: ToolLimits | undefined;
  /** The model's. */
  maxOutputTokens: number | undefined;
}

export interface LaterEnd {
  /** As it was kept with the hold. */
  price: string;
  protocol: Protocol;
  /** undefined when its end is unknown: then it came to all that it might. */
  state: { isDue: boolean; answer: WholeAnswer } | undefined;
}

const NO_GROUPS: Catalogue['groups'] = new Map();

export function readDetail(text: string): LaterBill {
  return JSON.parse(text) as LaterBill;
}

/** The finished line of the log, and whether anything is charged. */
export function billLater(
  { request, size, toolLimits, maxOutputTokens }: LaterBill,
  { price, protocol, state }: LaterEnd,
): { row: RequestRow; isDue: boolean } {
  if (state?.isDue === false)
    return { row: { ...request, usage: null, usage_source: null, charge: 0n, arithmetic: null }, isDue: false };
  const agreed = readAgreed(price);
  const model = { id: request.model ?? '', price: agreed.price, maxOutputTokens };
  const bill = new Bill({ groups: NO_GROUPS }, { model, group: request.group_name, request: size, protocol, agreed });
  const report = state?.answer ?? { usage: undefined, outputBytes: Number.MAX_SAFE_INTEGER };
  const { usage, source } = bill.used({ ...report, ...reportBySize(report.outputBytes), toolLimits: () => toolLimits });
  const { amount, arithmetic } = bill.charge(usage);
  const counted = { usage: JSON.stringify(wireUsage(usage)), usage_source: source };
  return { row: { ...request, ...counted, charge: amount, arithmetic }, isDue: true };
}
