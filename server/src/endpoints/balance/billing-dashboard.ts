// GET /v1/dashboard/billing/subscription and /usage: the shape in which older OpenAI clients read a balance (contract-2 7).
import { invalidRequest } from '../../errors/gateway-error.ts';
import { NANO } from '../../billing/money.ts';
import type { Endpoint, Exchange } from '../endpoint.ts';

const DAY = 86_400;
/** What clients without a start date mean. */
const USUAL_DAYS = 100;

/** The limit is what the token was given in all: what it may still spend and what it has spent. */
export const showSubscription: Endpoint = async ({ balances }, exchange) => {
  const { tokenId, accountId } = exchange.principal;
  const [token, account] = await Promise.all([balances.ofToken(tokenId), balances.ofAccount(accountId)]);
  const limit = asNumber(token.quota ?? account.balance + token.used);
  exchange.sendJson({
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: token.expiresAt ?? 0,
  });
};

export const showBillingUsage: Endpoint = async ({ balances }, exchange) => {
  const today = Math.floor(Date.now() / 1000 / DAY) * DAY;
  const { start_date, end_date } = readDates(exchange);
  const from = start_date ?? today - USUAL_DAYS * DAY;
  const to = end_date ?? today + DAY;
  if (to <= from) throw invalidRequest('"end_date" must be after "start_date".', 'end_date');
  const spent = await balances.spent(exchange.principal.tokenId, { from, to });
  exchange.sendJson({ object: 'list', total_usage: asNumber(spent * 100n) });
};

function readDates({ query }: Exchange): { start_date: number | undefined; end_date: number | undefined } {
  const given = new URLSearchParams(query);
  const read = (name: string): number | undefined => {
    const text = given.get(name);
    if (text === null || text === '') return undefined;
    const seconds = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) / 1000 : Number.NaN;
    if (!Number.isFinite(seconds)) throw invalidRequest(`"${name}" must be a date such as 2026-01-31.`, name);
    return seconds;
  };
  return { start_date: read('start_date'), end_date: read('end_date') };
}

/** This shape has numbers. */
function asNumber(amount: bigint): number {
  return Number(amount) / Number(NANO);
}
