// /models: what is offered. Ids may hold / . and : and are percent-encoded in the path.
import { model, modelList, modelParams as params, modelPut, modelQuery } from '#contract/models.ts';
import { deleteModel, listModels } from '../../store/queries/models.ts';
import { auditOfPut } from '../audit-of.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { requireMatch } from '../etag.ts';
import { readPage } from '../list-page.ts';
import { makeChange } from '../make-change.ts';
import { done, failures, failuresOfList, failuresOfOne, route } from '../operation.ts';
import { getModel, putModel, writeModel } from '../records/models.ts';
import { recordPrice } from '../records/price-versions.ts';
import { operatorOf } from '../sign-in/authenticate.ts';

const TAG = 'Models';

export function modelRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  const { reads, lists } = dependencies.store;

  app.get(
    '/models',
    route(TAG, 'List models', { querystring: modelQuery, response: { 200: modelList, ...failuresOfList } }),
    async ({ query }) => readPage(query, (paging) => listModels(lists, { flag: query.flag, ...paging }), writeModel),
  );

  app.get(
    '/models/:id',
    route(TAG, 'Read a model', { params, response: { 200: model, ...failuresOfOne } }),
    async (request) => getModel(reads, request.params.id),
  );

  app.put(
    '/models/:id',
    route(TAG, 'Create or replace a model', {
      params,
      body: modelPut,
      response: { 200: model, 201: model, ...failures },
    }),
    async (request, reply) => {
      const { id } = request.params;
      const author = operatorOf(request).name;
      const { before, after } = await makeChange(dependencies, author, async (transaction, at) => {
        const answer = await putModel(transaction, { id, ...request.body }, at);
        requireMatch(request, answer.before);
        const prices = { before: answer.before?.price ?? null, after: answer.after.price };
        await recordPrice(transaction, { model: id, ...prices, author, origin: 'change', at });
        return { answer, audit: auditOfPut('model', id, answer), notice: 'catalogue' };
      });
      return reply.code(before === null ? 201 : 200).send(after);
    },
  );

  app.delete(
    '/models/:id',
    route(TAG, 'Remove a model', { params, response: { 204: done, ...failuresOfOne } }),
    async (request, reply) => {
      const { id } = request.params;
      const author = operatorOf(request).name;
      await makeChange(dependencies, author, async (transaction, at) => {
        const detail = await getModel(transaction, id);
        requireMatch(request, detail);
        await deleteModel(transaction, id);
        const prices = { before: detail.price, after: null };
        await recordPrice(transaction, { model: id, ...prices, author, origin: 'remove', at });
        return { answer: undefined, audit: { action: 'model.remove', id, detail }, notice: 'catalogue' };
      });
      return reply.code(204).send();
    },
  );
}
