// /flags: where a model that names one exists.
import { z } from 'zod';
import { flag, flagList, flagPut, flagQuery } from '#contract/flags.ts';
import { line } from '#contract/values/text.ts';
import { deleteFlag, listFlags } from '../../store/queries/flags.ts';
import { auditOfPut } from '../audit-of.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { requireMatch } from '../etag.ts';
import { readCursor, withNames, writePage } from '../list-page.ts';
import { makeChange } from '../make-change.ts';
import { done, failures, failuresOfList, failuresOfOne, route } from '../operation.ts';
import { getFlag, putFlag, writeFlag } from '../records/flags.ts';
import { operatorOf } from '../sign-in/authenticate.ts';

const TAG = 'Flags';
const params = z.strictObject({ name: line(100) });

export function flagRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  const { reads, lists } = dependencies.store;

  app.get(
    '/flags',
    route(TAG, 'List flags', { querystring: flagQuery, response: { 200: flagList, ...failuresOfList } }),
    async ({ query: { limit, cursor } }) => {
      const rows = await listFlags(lists, { after: readCursor(cursor), limit: limit + 1 });
      const page = writePage(rows, limit, { key: (row) => row.name, write: writeFlag });
      return withNames(lists, page, (data) => ({ accounts: data.flatMap((row) => row.accounts).slice(0, 2000) }));
    },
  );

  app.get(
    '/flags/:name',
    route(TAG, 'Read a flag', { params, response: { 200: flag, ...failuresOfOne } }),
    async (request) => getFlag(reads, request.params.name),
  );

  app.put(
    '/flags/:name',
    route(TAG, 'Create or replace a flag', { params, body: flagPut, response: { 200: flag, 201: flag, ...failures } }),
    async (request, reply) => {
      const { name } = request.params;
      const { before, after } = await makeChange(dependencies, operatorOf(request).name, async (transaction) => {
        const answer = await putFlag(transaction, name, request.body);
        requireMatch(request, answer.before);
        return { answer, audit: auditOfPut('flag', name, answer), notice: 'catalogue' };
      });
      return reply.code(before === null ? 201 : 200).send(after);
    },
  );

  app.delete(
    '/flags/:name',
    route(TAG, 'Remove a flag', { params, response: { 204: done, ...failuresOfOne } }),
    async (request, reply) => {
      const { name } = request.params;
      await makeChange(dependencies, operatorOf(request).name, async (transaction) => {
        const detail = await getFlag(transaction, name);
        requireMatch(request, detail);
        await deleteFlag(transaction, name);
        return { answer: undefined, audit: { action: 'flag.remove', id: name, detail }, notice: 'catalogue' };
      });
      return reply.code(204).send();
    },
  );
}
