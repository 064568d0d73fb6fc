// /groups: multipliers and model lists.
import { z } from 'zod';
import { group, groupList, groupPut, groupQuery } from '#contract/groups.ts';
import { groupName } from '#contract/values/text.ts';
import { auditOfPut } from '../audit-of.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { requireMatch } from '../etag.ts';
import { readCursor, writePage } from '../list-page.ts';
import { makeChange } from '../make-change.ts';
import { failures, failuresOfList, failuresOfOne, route } from '../operation.ts';
import { allGroups, getGroup, plainGroup, putGroup } from '../records/groups.ts';
import { operatorOf } from '../sign-in/authenticate.ts';

const TAG = 'Groups';
const params = z.strictObject({ name: groupName });

export function groupRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  const { reads, lists } = dependencies.store;

  app.get(
    '/groups',
    route(TAG, 'List groups: those that were put, those in use, and the default', {
      querystring: groupQuery,
      response: { 200: groupList, ...failuresOfList },
    }),
    async ({ query: { limit, cursor } }) => {
      const after = readCursor(cursor);
      const groups = (await allGroups(lists)).filter(({ name }) => after === undefined || name > after);
      return writePage(groups, limit, { key: ({ name }) => name, write: (one) => one });
    },
  );

  app.get(
    '/groups/:name',
    route(TAG, 'Read a group', { params, response: { 200: group, ...failuresOfOne } }),
    async (request) => getGroup(reads, request.params.name),
  );

  app.put(
    '/groups/:name',
    route(TAG, 'Create or replace a group', {
      params,
      body: groupPut,
      response: { 200: group, 201: group, ...failures },
    }),
    async (request, reply) => {
      const { name } = request.params;
      const { before, after } = await makeChange(dependencies, operatorOf(request).name, async (transaction) => {
        const answer = await putGroup(transaction, name, request.body);
        requireMatch(request, answer.before ?? plainGroup(name));
        return { answer, audit: auditOfPut('group', name, answer), notice: 'catalogue' };
      });
      return reply.code(before === null ? 201 : 200).send(after);
    },
  );
}
