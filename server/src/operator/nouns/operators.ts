// /operators: the people who run the gateway.
import { operator, operatorCreate, operatorList, operatorPatch, operatorQuery } from '#contract/operators.ts';
import { listOperators } from '../../store/queries/operators.ts';
import { auditOf } from '../audit-of.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { readPage } from '../list-page.ts';
import { requireMatch } from '../etag.ts';
import { makeChange } from '../make-change.ts';
import { failuresOfList, failuresOfName, idParams, route } from '../operation.ts';
import { changeOperator, createOperator, writeOperator } from '../records/operators.ts';
import { operatorOf } from '../sign-in/authenticate.ts';
import { hashPassword } from '../sign-in/password.ts';

const TAG = 'Operators';

export function operatorRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  app.get(
    '/operators',
    route(TAG, 'List operators', { querystring: operatorQuery, response: { 200: operatorList, ...failuresOfList } }),
    async ({ query }) => readPage(query, (paging) => listOperators(dependencies.store.lists, paging), writeOperator),
  );

  app.post(
    '/operators',
    route(TAG, 'Create an operator', { body: operatorCreate, response: { 201: operator, ...failuresOfName } }),
    async (request, reply) => {
      const { name, password, role, must_change_password: mustChangePassword } = request.body;
      const passwordHash = await hashPassword(password);
      const made = await makeChange(dependencies, operatorOf(request).name, async (transaction, at) => {
        const answer = await createOperator(transaction, { name, passwordHash, role, mustChangePassword }, at);
        return { answer, audit: { action: 'operator.create', id: answer.id, detail: answer }, notice: null };
      });
      return reply.code(201).send(made);
    },
  );

  app.patch(
    '/operators/:id',
    route(TAG, 'Change an operator', {
      params: idParams,
      body: operatorPatch,
      response: { 200: operator, ...failuresOfName },
    }),
    async (request) => {
      const { id } = request.params;
      const { password: text, second_factor: secondFactor, ...patch } = request.body;
      const password = text === undefined ? undefined : { hash: await hashPassword(text), mustChange: true };
      return makeChange(dependencies, operatorOf(request).name, async (transaction) => {
        const { before, after } = await changeOperator(transaction, id, { ...patch, password, secondFactor });
        requireMatch(request, before);
        const changed = auditOf({ action: 'operator.change', id, before, after });
        const audit =
          password === undefined
            ? changed
            : { action: 'operator.change', id, detail: { ...changed?.detail, password: 'changed' } };
        return { answer: after, audit, notice: null };
      });
    },
  );
}
