// /codes: money on paper, made by operators and redeemed once in the portal (contract-2 10).
import { codeList, codeQuery, codesCreate, codesCreated } from '#contract/codes.ts';
import { errorAnswer } from '#contract/values/errors.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { deleteCode, findCode, listCodes } from '../../store/queries/codes.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { readPage, withNames } from '../list-page.ts';
import { makeChange } from '../make-change.ts';
import { required } from '../not-found.ts';
import { done, failures, failuresOfList, failuresOfOne, idParams, route } from '../operation.ts';
import { createCodes, writeCode } from '../records/codes.ts';
import { operatorOf } from '../sign-in/authenticate.ts';

const TAG = 'Codes';

export function codeRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  app.get(
    '/codes',
    route(TAG, 'List codes', { querystring: codeQuery, response: { 200: codeList, ...failuresOfList } }),
    async ({ query }) => {
      const { lists } = dependencies.store;
      const redeemed = query.redeemed === undefined ? undefined : query.redeemed === 'true';
      const page = await readPage(query, (paging) => listCodes(lists, { redeemed, ...paging }), writeCode);
      return withNames(lists, page, (data) => ({ accounts: data.map((row) => row.account_id) }));
    },
  );

  app.post(
    '/codes',
    route(TAG, 'Make codes; the answer is the only one that shows them', {
      body: codesCreate,
      response: { 201: codesCreated, ...failures },
    }),
    async (request, reply) => {
      const author = operatorOf(request).name;
      const data = await makeChange(dependencies, author, async (transaction, at) => {
        const answer = await createCodes(transaction, request.body, { author, at });
        const { amount, count, expires_at, note } = request.body;
        const audit = { action: 'code.create', id: answer[0]?.id ?? '', detail: { amount, count, expires_at, note } };
        return { answer, audit, notice: null };
      });
      return reply.code(201).send({ data });
    },
  );

  app.delete(
    '/codes/:id',
    route(TAG, 'Remove a code that nobody has redeemed', {
      params: idParams,
      response: { 204: done, ...failuresOfOne, 409: errorAnswer },
    }),
    async (request, reply) => {
      const { id } = request.params;
      await makeChange(dependencies, operatorOf(request).name, async (transaction) => {
        const row = required(await findCode(transaction, id), 'code', id);
        if (!(await deleteCode(transaction, id)))
          throw new GatewayError('conflict', { message: 'The code was redeemed: its credit stands in the ledger.' });
        return { answer: undefined, audit: { action: 'code.remove', id, detail: { hint: row.hint } }, notice: null };
      });
      return reply.code(204).send();
    },
  );
}
