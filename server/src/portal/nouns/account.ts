// Balance, usage, statement and codes of the member's own account.
import { codeRedeem, codeRedeemed, portalAccount, portalUsageList, portalUsageQuery } from '#contract/portal.ts';
import { statement, statementQuery } from '#contract/statement.ts';
import { formatAmount } from '../../billing/money.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { OperatorApp } from '../../operator/dependencies.ts';
import { makeChange } from '../../operator/make-change.ts';
import { failures, failuresOfOne } from '../../operator/operation.ts';
import { getAccount } from '../../operator/records/accounts.ts';
import { redeemCode } from '../../operator/records/codes.ts';
import { sendStatement } from '../../operator/records/statement-files.ts';
import { unixSeconds } from '../../shared/clock.ts';
import { listUsage } from '../../store/queries/usage.ts';
import type { PortalDependencies } from '../dependencies.ts';
import { changingMember, memberOf } from '../member-session.ts';
import { route } from '../operation.ts';

const DAY = 86_400;
const DEFAULT_DAYS = 30;
const MOST_DAYS = 400;
const MOST_ROWS = 10_000;

export function portalAccountRoutes(app: OperatorApp, dependencies: PortalDependencies): void {
  const { store, clock, currency } = dependencies;

  app.get(
    '/account',
    route('Balance and limits of the account', { response: { 200: portalAccount, ...failures } }),
    async (request) => {
      const { row } = memberOf(request);
      const { id, name, balance, budget, budget_period, budget_used, models } = await getAccount(
        store.reads,
        row.account_id,
      );
      const cap =
        row.cap === null
          ? null
          : { amount: formatAmount(row.cap), period: row.cap_period, used: formatAmount(row.cap_used) };
      return { id, name, currency, balance, budget, budget_period, budget_used, models, cap };
    },
  );

  app.get(
    '/usage',
    route('Usage by day (UTC), and by model or token', {
      querystring: portalUsageQuery,
      response: { 200: portalUsageList, ...failures },
    }),
    async (request) => {
      const { from, to, by, mode } = request.query;
      const end = to ?? unixSeconds(clock) + 1;
      const begin = from ?? end - DEFAULT_DAYS * DAY;
      if (begin >= end) throw invalidRequest('"from" must be before "to".', 'from');
      if ((end - begin) / DAY > MOST_DAYS)
        throw invalidRequest(`"from" must be at most ${MOST_DAYS} days before "to".`, 'from');
      const rows = await listUsage(store.lists, {
        from: Math.floor(begin / DAY) * DAY,
        to: Math.ceil(end / DAY) * DAY,
        bucketLength: DAY,
        by,
        filters: { account_id: memberOf(request).row.account_id, mode },
        after: undefined,
        limit: MOST_ROWS,
      });
      const data = rows.map((row) => ({
        bucket: row.bucket,
        ...(by !== undefined && { [by]: row.key }),
        requests: row.requests,
        errors: row.errors,
        input_tokens: row.input_tokens,
        output_tokens: row.output_tokens,
        amount: formatAmount(row.amount),
      }));
      return { data, next_cursor: null };
    },
  );

  app.get(
    '/statement',
    route('Statement of a month: JSON, CSV, or a page to print', {
      querystring: statementQuery,
      response: { 200: statement, ...failuresOfOne },
    }),
    async (request, reply) => {
      const account = await getAccount(store.reads, memberOf(request).row.account_id);
      const { month, format } = request.query;
      return sendStatement(dependencies, { account, month, format, reply });
    },
  );

  app.post(
    '/codes/redeem',
    route('Redeem a code: its amount is added to the balance, once', {
      body: codeRedeem,
      response: { 201: codeRedeemed, ...failures },
    }),
    async (request, reply) => {
      const { row } = memberOf(request);
      const made = await makeChange(dependencies, row.email, async (transaction, at) => {
        await changingMember(transaction, request);
        const by = { accountId: row.account_id, memberId: row.id, author: row.email, at };
        const answer = await redeemCode(transaction, { code: request.body.code, ...by });
        const audit = {
          action: 'code.redeem',
          id: answer.id,
          detail: { account_id: row.account_id, amount: answer.amount },
        };
        return { answer, audit, notice: 'account', noticeId: row.account_id };
      });
      return reply.code(201).send({ amount: made.amount, balance: made.balance });
    },
  );
}
