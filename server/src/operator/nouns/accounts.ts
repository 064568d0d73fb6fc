// /accounts, their credits, and their statements of a month (contract-2 10).
import { account, accountCreate, accountList, accountPatch, accountQuery, credit } from '#contract/accounts.ts';
import { ledgerEntry } from '#contract/ledger.ts';
import { statement, statementQuery } from '#contract/statement.ts';
import { errorAnswer } from '#contract/values/errors.ts';
import { listAccounts } from '../../store/queries/accounts.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { requireMatch } from '../etag.ts';
import { readPage } from '../list-page.ts';
import { makeChange } from '../make-change.ts';
import { failures, failuresOfList, failuresOfName, failuresOfOne, idParams, route } from '../operation.ts';
import { auditOf } from '../audit-of.ts';
import { changeAccount, createAccount, getAccount, writeAccount } from '../records/accounts.ts';
import { addCredit } from '../records/credits.ts';
import { sendStatement } from '../records/statement-files.ts';
import { operatorOf } from '../sign-in/authenticate.ts';

const TAG = 'Accounts';

export function accountRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  const { reads, lists } = dependencies.store;

  app.get(
    '/accounts',
    route(TAG, 'List accounts', { querystring: accountQuery, response: { 200: accountList, ...failuresOfList } }),
    async ({ query: { limit, cursor, sort, external_id: externalId, ...filters } }) =>
      readPage(
        { limit, cursor, sort },
        (paging) => listAccounts(lists, { ...filters, externalId, ...paging }),
        writeAccount,
      ),
  );

  app.post(
    '/accounts',
    route(TAG, 'Create an account', { body: accountCreate, response: { 201: account, ...failures, 409: errorAnswer } }),
    async (request, reply) => {
      const made = await makeChange(dependencies, operatorOf(request).name, async (transaction, at) => {
        const answer = await createAccount(transaction, request.body, at);
        return { answer, audit: { action: 'account.create', id: answer.id, detail: answer }, notice: 'account' };
      });
      return reply.code(201).send(made);
    },
  );

  app.get(
    '/accounts/:id',
    route(TAG, 'Read an account', { params: idParams, response: { 200: account, ...failuresOfOne } }),
    async (request) => getAccount(reads, request.params.id),
  );

  app.patch(
    '/accounts/:id',
    route(TAG, 'Change an account', {
      params: idParams,
      body: accountPatch,
      response: { 200: account, ...failuresOfName },
    }),
    async (request) =>
      makeChange(dependencies, operatorOf(request).name, async (transaction, at) => {
        const { id } = request.params;
        const before = await getAccount(transaction, id);
        requireMatch(request, before);
        const answer = await changeAccount(transaction, id, { patch: request.body, at });
        return { answer, audit: auditOf({ action: 'account.change', id, before, after: answer }), notice: 'account' };
      }),
  );

  app.post(
    '/accounts/:id/credits',
    route(TAG, 'Add money to an account, or take it with a minus sign', {
      params: idParams,
      body: credit,
      response: { 201: ledgerEntry, ...failuresOfOne },
    }),
    async (request, reply) => {
      const { id: accountId } = request.params;
      const author = operatorOf(request).name;
      const entry = await makeChange(dependencies, author, async (transaction, at) => {
        const answer = await addCredit(transaction, { accountId, author, ...request.body }, at);
        const { amount, note, id: ledger_id } = answer;
        const detail = { amount, note, ledger_id };
        return { answer, audit: { action: 'account.credit', id: accountId, detail }, notice: 'account' };
      });
      return reply.code(201).send(entry);
    },
  );

  app.get(
    '/accounts/:id/statement',
    route(TAG, 'Statement of a month: JSON, CSV, or a page to print', {
      params: idParams,
      querystring: statementQuery,
      response: { 200: statement, ...failuresOfOne },
    }),
    async ({ params: { id }, query }, reply) =>
      sendStatement(dependencies, {
        account: await getAccount(reads, id),
        month: query.month,
        format: query.format,
        reply,
      }),
  );
}
