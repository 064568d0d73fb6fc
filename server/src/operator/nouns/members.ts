// /accounts/{id}/members: who of an account may use the portal (contract-2 10).
import { z } from 'zod';
import { member, memberCreate, memberInvited, memberList, memberPatch, memberQuery } from '#contract/members.ts';
import { id } from '#contract/values/text.ts';
import { listMembers } from '../../store/queries/members.ts';
import { auditOf } from '../audit-of.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { requireMatch } from '../etag.ts';
import { readPage } from '../list-page.ts';
import { makeChange } from '../make-change.ts';
import { done, failuresOfList, failuresOfName, failuresOfOne, idParams, route } from '../operation.ts';
import { getAccount } from '../records/accounts.ts';
import { changeMember, createMember, getMember, inviteAgain, retireMember, writeMember } from '../records/members.ts';
import { operatorOf } from '../sign-in/authenticate.ts';

const TAG = 'Members';
const params = z.strictObject({ id, member_id: id });

export function memberRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  const { reads, lists } = dependencies.store;
  const linkOf = (token: string): string => `${dependencies.portalUrl ?? ''}/portal/#invite=${token}`;

  app.get(
    '/accounts/:id/members',
    route(TAG, 'List members of an account', {
      params: idParams,
      querystring: memberQuery,
      response: { 200: memberList, ...failuresOfList, 404: failuresOfOne[404] },
    }),
    async ({ params: { id: accountId }, query }) => {
      await getAccount(reads, accountId);
      return readPage(query, (paging) => listMembers(lists, { accountId, ...paging }), writeMember);
    },
  );

  app.post(
    '/accounts/:id/members',
    route(TAG, 'Invite a member; the answer is the only one that shows the invite', {
      params: idParams,
      body: memberCreate,
      response: { 201: memberInvited, ...failuresOfName },
    }),
    async (request, reply) => {
      const { id: accountId } = request.params;
      const made = await makeChange(dependencies, operatorOf(request).name, async (transaction, at) => {
        const answer = await createMember(transaction, accountId, { input: request.body, at });
        const audit = { action: 'member.create', id: answer.member.id, detail: answer.member };
        return { answer, audit, notice: null };
      });
      return reply.code(201).send({ ...made.member, invite: { ...made.invite, link: linkOf(made.invite.token) } });
    },
  );

  app.get(
    '/accounts/:id/members/:member_id',
    route(TAG, 'Read a member', { params, response: { 200: member, ...failuresOfOne } }),
    async (request) => getMember(reads, request.params.id, request.params.member_id),
  );

  app.patch(
    '/accounts/:id/members/:member_id',
    route(TAG, 'Change a member', { params, body: memberPatch, response: { 200: member, ...failuresOfName } }),
    async (request) => {
      const { id: accountId, member_id: memberId } = request.params;
      return makeChange(dependencies, operatorOf(request).name, async (transaction, at) => {
        const of = { accountId, id: memberId, at };
        requireMatch(request, await getMember(transaction, accountId, memberId));
        const { before, after } = await changeMember(transaction, of, request.body);
        const audit = auditOf({ action: 'member.change', id: memberId, before, after });
        return { answer: after, audit, notice: null };
      });
    },
  );

  app.post(
    '/accounts/:id/members/:member_id/invite',
    route(TAG, 'Invite a member again: the old invite or password ends', {
      params,
      response: { 201: memberInvited, ...failuresOfOne },
    }),
    async (request, reply) => {
      const { id: accountId, member_id: memberId } = request.params;
      const made = await makeChange(dependencies, operatorOf(request).name, async (transaction, at) => {
        requireMatch(request, await getMember(transaction, accountId, memberId));
        const answer = await inviteAgain(transaction, { accountId, id: memberId, at });
        return { answer, audit: { action: 'member.invite', id: memberId, detail: {} }, notice: null };
      });
      return reply.code(201).send({ ...made.member, invite: { ...made.invite, link: linkOf(made.invite.token) } });
    },
  );

  app.delete(
    '/accounts/:id/members/:member_id',
    route(TAG, 'Remove a member: out of the portal, and the tokens that they made end', {
      params,
      response: { 204: done, ...failuresOfOne },
    }),
    async (request, reply) => {
      const { id: accountId, member_id: memberId } = request.params;
      await makeChange(dependencies, operatorOf(request).name, async (transaction, at) => {
        requireMatch(request, await getMember(transaction, accountId, memberId));
        const tokens = await retireMember(transaction, { accountId, id: memberId, at });
        const audit = { action: 'member.remove', id: memberId, detail: { tokens } };
        return { answer: undefined, audit, notice: 'account', noticeId: accountId };
      });
      return reply.code(204).send();
    },
  );
}
