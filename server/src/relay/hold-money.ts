// Holds what a request may cost. A token may rather get a shorter answer than none: then the most output it asks for is
// lowered to what balance, quota and budget still cover.
import type { Principal } from '../access/principal.ts';
import type { Ledger } from '../billing/ledger.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { RelayRequest } from '../protocols/protocol.ts';
import { outputLimitField } from '../protocols/translation/translations.ts';
import { Bill, type BillDependencies } from './bill.ts';
import type { RelayCall } from './call.ts';
import { estimateForHold } from '../billing/estimate.ts';

interface MoneyDependencies {
  ledger: Ledger;
  catalogue: Pick<Catalogue, 'groups'>;
  billing: Omit<BillDependencies, 'request'>;
  bill: Bill;
  request: RelayRequest;
}

export interface HoldDependencies extends MoneyDependencies {
  call: Pick<RelayCall, 'requestId' | 'principal' | 'reply'>;
  /** Seconds after which the hold may be ended by anybody. */
  lifetime: number;
}

export interface ForeseeDependencies extends MoneyDependencies {
  principal: Principal;
}

export interface HeldMoney {
  request: RelayRequest;
  bill: Bill;
}

/** An answer shorter than this helps nobody. */
const LEAST_OUTPUT = 16;
const FITTED = 'x-tollgate-max-tokens';

/** Resolves when the hold is durable, with the request as it may be sent. */
export async function holdMoney(dependencies: HoldDependencies): Promise<HeldMoney> {
  const { request, call, bill } = dependencies;
  try {
    await hold(dependencies, bill);
    return { request, bill };
  } catch (error) {
    const isShort = error instanceof GatewayError && error.code === 'insufficient_quota';
    const fitted =
      isShort && call.principal.fitBalance ? await fit({ ...dependencies, principal: call.principal }) : undefined;
    if (fitted === undefined) throw error;
    const smaller = billOf(dependencies, fitted);
    await hold(dependencies, smaller);
    call.reply.setHeader(FITTED, String(fitted.maxOutputTokens));
    return { request: fitted, bill: smaller };
  }
}

/** What `holdMoney` would hold now. Nothing is held, and nobody is refused. */
export async function foreseeHold(dependencies: ForeseeDependencies): Promise<Bill['estimate']> {
  const { ledger, bill, principal } = dependencies;
  const { holdAmount: usual, mostAmount: most } = bill;
  if (most === undefined && !principal.fitBalance) return bill.estimate;
  const { amount, free } = await ledger.foresee({ ...principal, amount: usual, most });
  const fitted = amount > free && principal.fitBalance ? await fit(dependencies) : undefined;
  if (fitted !== undefined) return billOf(dependencies, fitted).estimate;
  return (amount === usual ? undefined : bill.mostEstimate) ?? bill.estimate;
}

function billOf(
  { catalogue, billing }: Pick<ForeseeDependencies, 'catalogue' | 'billing'>,
  request: BillDependencies['request'],
): Bill {
  return new Bill(catalogue, { ...billing, request });
}

function hold({ ledger, call, lifetime, billing }: HoldDependencies, bill: Bill): Promise<void> {
  const { accountId, tokenId, mode } = call.principal;
  const isByTokens = billing.model.price?.unit === 'tokens';
  const limitField = isByTokens ? outputLimitField(billing.protocol.operation) : undefined;
  const { requestId } = call;
  const { holdAmount: amount, mostAmount: most, priceText: price } = bill;
  return ledger.hold({ requestId, accountId, tokenId, mode, amount, most, price, lifetime, limitField });
}

/** The request with the longest answer that can be paid for; undefined when there is none. */
async function fit(dependencies: Omit<ForeseeDependencies, 'bill'>): Promise<RelayRequest | undefined> {
  const { request, billing, ledger, principal } = dependencies;
  if (request.fit === undefined || billing.model.price?.unit !== 'tokens') return undefined;
  const free = await ledger.free(principal);
  const least = { ...request, maxOutputTokens: LEAST_OUTPUT, choices: 1 };
  if (billOf(dependencies, least).holdAmount > free) return undefined; // before a body of any size is rewritten
  let [fits, exceeds] = [LEAST_OUTPUT, estimateForHold({ ...request, choices: 1 }, billing.model).output];
  const longest = { ...request, ...request.fit(exceeds) }; // a limit that is written down makes the request longer
  const costs = (maxOutputTokens: number): bigint => billOf(dependencies, { ...longest, maxOutputTokens }).holdAmount;
  if (exceeds <= fits || costs(fits) > free) return undefined;
  while (exceeds - fits > 1) {
    const middle = Math.floor((fits + exceeds) / 2);
    if (costs(middle) <= free) fits = middle;
    else exceeds = middle;
  }
  const fitted = request.fit(fits);
  return fitted && { ...request, ...fitted };
}
