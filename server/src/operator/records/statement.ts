// The statement of an account for a month. Its sums are those of the ledger; by model they are those of the usage, and what
// these do not name is said to be so, so that the lines always add up to the charges.
import type { Statement } from '#contract/statement.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { sumsBefore, sumsByDay } from '../../store/queries/account-statement.ts';
import { findCarried } from '../../store/queries/carried-ledger.ts';
import { listUsage } from '../../store/queries/usage.ts';
import type { Reads } from '../../store/store.ts';
import { formatAmount } from '../../billing/money.ts';

export interface StatementRequest {
  account: { id: string; name: string };
  /** YYYY-MM; undefined = the running one. */
  month: string | undefined;
  /** Unix seconds. */
  now: number;
  currency: string;
}

const MOST_MODELS = 10_000;

export async function makeStatement(reads: Reads, request: StatementRequest): Promise<Statement> {
  const month = request.month ?? new Date(request.now * 1000).toISOString().slice(0, 7);
  const from = Date.parse(`${month}-01T00:00:00Z`) / 1000;
  if (from > request.now) throw invalidRequest('"month" has not begun yet.', 'month');
  const { until } = await findCarried(reads);
  if (from < until)
    throw invalidRequest(
      `The ledger of ${month} is not kept here any more (TOLLGATE_LEDGER_DAYS); read it from the export.`,
      'month',
    );
  const to = endOf(month);
  const { id } = request.account;
  const before = await sumsBefore(reads, id, from);
  const days = await sumsByDay(reads, id, { from, to });
  const credits = days.reduce((sum, day) => sum + day.credits, 0n);
  const charges = days.reduce((sum, day) => sum + day.charges, 0n);
  const opening = before.credits - before.charges;
  return {
    account: { id, name: request.account.name },
    month,
    currency: request.currency,
    opening_balance: formatAmount(opening),
    credits: formatAmount(credits),
    charges: formatAmount(charges),
    closing_balance: formatAmount(opening + credits - charges),
    days: days.map((day) => ({
      date: new Date(day.day * 1000).toISOString().slice(0, 10),
      credits: formatAmount(day.credits),
      charges: formatAmount(day.charges),
      requests: day.requests,
    })),
    models: await byModel(reads, { id, from, to, charges, requests: days.reduce((sum, day) => sum + day.requests, 0) }),
  };
}

interface ByModel {
  id: string;
  from: number;
  to: number;
  charges: bigint;
  requests: number;
}

async function byModel(reads: Reads, { id, from, to, charges, requests }: ByModel): Promise<Statement['models']> {
  const sums = await listUsage(reads, {
    from,
    to,
    bucketLength: to - from,
    by: 'model',
    filters: { account_id: id, mode: 'live' },
    after: undefined,
    limit: MOST_MODELS,
  });
  const models = new Map<string, { amount: bigint; requests: number }>();
  for (const { key, amount, requests: count, errors } of sums) {
    const known = models.get(key) ?? { amount: 0n, requests: 0 };
    models.set(key, { amount: known.amount + amount, requests: known.requests + count - errors });
  }
  const named = [...models].filter(([, { amount }]) => amount > 0n).sort(([, a], [, b]) => Number(b.amount - a.amount));
  const rest = named.reduce((left, [, { amount }]) => left - amount, charges);
  const restRequests = named.reduce((left, [, one]) => left - one.requests, requests);
  const lines: Statement['models'] = named.map(([model, one]) => ({
    model: model === '' ? null : model,
    requests: one.requests,
    charges: formatAmount(one.amount),
  }));
  if (rest !== 0n) lines.push({ model: null, requests: Math.max(0, restRequests), charges: formatAmount(rest) });
  return lines;
}

function endOf(month: string): number {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return Date.UTC(year, number, 1) / 1000;
}
