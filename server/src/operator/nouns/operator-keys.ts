// /operator-keys: make, change and revoke the keys of programs (contract-2 10).
import {
  operatorKey,
  operatorKeyCreate,
  operatorKeyList,
  operatorKeyPatch,
  operatorKeyQuery,
  operatorKeyWithKey,
} from '#contract/operator-keys.ts';
import { listOperatorKeys } from '../../store/queries/operator-keys.ts';
import { auditOf } from '../audit-of.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { readPage } from '../list-page.ts';
import { requireMatch } from '../etag.ts';
import { makeChange } from '../make-change.ts';
import { done, failuresOfList, failuresOfName, failuresOfOne, idParams as params, route } from '../operation.ts';
import {
  changeOperatorKey,
  createOperatorKey,
  getOperatorKey,
  removeOperatorKey,
  writeOperatorKey,
} from '../records/operator-keys.ts';
import { operatorOf } from '../sign-in/authenticate.ts';

const TAG = 'Operator keys';

export function operatorKeyRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  const { store } = dependencies;

  app.get(
    '/operator-keys',
    route(TAG, 'List operator keys', {
      querystring: operatorKeyQuery,
      response: { 200: operatorKeyList, ...failuresOfList },
    }),
    async ({ query }) => readPage(query, (paging) => listOperatorKeys(store.lists, paging), writeOperatorKey),
  );

  app.post(
    '/operator-keys',
    route(TAG, 'Create an operator key; the answer is the only one that shows it', {
      body: operatorKeyCreate,
      response: { 201: operatorKeyWithKey, ...failuresOfName },
    }),
    async (request, reply) => {
      const { name: author } = operatorOf(request);
      const { made, key } = await makeChange(dependencies, author, async (transaction, at) => {
        const answer = await createOperatorKey(transaction, request.body, { at, author });
        const audit = { action: 'operator_key.create', id: answer.made.id, detail: answer.made };
        return { answer, audit, notice: null };
      });
      return reply.code(201).send({ ...made, key });
    },
  );

  app.get(
    '/operator-keys/:id',
    route(TAG, 'Read an operator key', { params, response: { 200: operatorKey, ...failuresOfOne } }),
    async (request) => getOperatorKey(store.reads, request.params.id),
  );

  app.patch(
    '/operator-keys/:id',
    route(TAG, 'Change an operator key', {
      params,
      body: operatorKeyPatch,
      response: { 200: operatorKey, ...failuresOfName },
    }),
    async (request) => {
      const { id } = request.params;
      return makeChange(dependencies, operatorOf(request).name, async (transaction) => {
        const { before, after } = await changeOperatorKey(transaction, id, request.body);
        requireMatch(request, before);
        const audit = auditOf({ action: 'operator_key.change', id, before, after });
        return { answer: after, audit, notice: null };
      });
    },
  );

  app.delete(
    '/operator-keys/:id',
    route(TAG, 'Revoke an operator key', { params, response: { 204: done, ...failuresOfOne } }),
    async (request, reply) => {
      const { id } = request.params;
      await makeChange(dependencies, operatorOf(request).name, async (transaction) => {
        const removed = await removeOperatorKey(transaction, id);
        requireMatch(request, removed);
        const { name, role } = removed;
        const audit = { action: 'operator_key.remove', id, detail: { name, role } };
        return { answer: undefined, audit, notice: null };
      });
      return reply.code(204).send();
    },
  );
}
