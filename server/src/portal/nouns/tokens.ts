// Tokens of the account: an owner has all of them, a member those that they made, a viewer only looks.
import type { Token } from '#contract/tokens.ts';
import {
  portalTokenCreate,
  portalTokenList,
  portalTokenPatch,
  portalToken,
  portalTokenWithKey,
} from '#contract/portal.ts';
import { tokenCreate, tokenRotate } from '#contract/tokens.ts';
import { listQuery } from '#contract/values/lists.ts';
import { z } from 'zod';
import { GatewayError } from '../../errors/gateway-error.ts';
import { auditOf } from '../../operator/audit-of.ts';
import type { OperatorApp } from '../../operator/dependencies.ts';
import { requireMatch } from '../../operator/etag.ts';
import { readPage } from '../../operator/list-page.ts';
import { makeChange } from '../../operator/make-change.ts';
import { notFound } from '../../operator/not-found.ts';
import {
  done,
  failures,
  failuresOfList,
  failuresOfName,
  failuresOfOne,
  idParams as params,
} from '../../operator/operation.ts';
import { changeToken, createToken, retireToken, rotateToken, writeToken } from '../../operator/records/tokens.ts';
import { findToken, hasLiveKey, listTokens, type TokenRow } from '../../store/queries/tokens.ts';
import type { MemberRow } from '../../store/queries/members.ts';
import type { Reads } from '../../store/store.ts';
import type { PortalDependencies } from '../dependencies.ts';
import { refuseLoosened } from '../refuse-loosened.ts';
import { changingMember, memberOf } from '../member-session.ts';
import { route } from '../operation.ts';

export function portalTokenRoutes(app: OperatorApp, dependencies: PortalDependencies): void {
  const { lists } = dependencies.store;

  app.get(
    '/tokens',
    route('List tokens', {
      querystring: z.strictObject(listQuery),
      response: { 200: portalTokenList, ...failuresOfList },
    }),
    async (request) => {
      const { row } = memberOf(request);
      const filters = { accountId: row.account_id, memberId: row.role === 'member' ? row.id : undefined };
      return readPage(request.query, (paging) => listTokens(lists, { ...filters, ...paging }), writeToken);
    },
  );

  app.post(
    '/tokens',
    route('Create a token; the answer is the only one that shows its key', {
      body: portalTokenCreate,
      response: { 201: portalTokenWithKey, ...failures },
    }),
    async (request, reply) => {
      const { row } = memberOf(request);
      const input = tokenCreate.parse({ ...request.body, account_id: row.account_id });
      const made = await makeChange(dependencies, row.email, async (transaction, at) => {
        await changingMember(transaction, request);
        const answer = await createToken(transaction, { ...input, memberId: row.id }, at);
        return {
          answer,
          audit: { action: 'token.create', id: answer.token.id, detail: answer.token },
          notice: 'token',
        };
      });
      return reply.code(201).send({ ...made.token, key: made.key ?? '' });
    },
  );

  app.patch(
    '/tokens/:id',
    route('Change a token', { params, body: portalTokenPatch, response: { 200: portalToken, ...failuresOfName } }),
    async (request): Promise<Token> => {
      const { row } = memberOf(request);
      const { id } = request.params;
      return makeChange(dependencies, row.email, async (transaction, at) => {
        const member = await changingMember(transaction, request);
        const token = await requireOwn(transaction, member, id);
        const before = writeToken(token);
        requireMatch(request, before);
        if (request.body.status === 'enabled') await requireLiveKey(transaction, id, at);
        const by = token.member_id === member.id ? 'maker' : 'owner';
        const answer = await changeToken(transaction, id, { patch: request.body, at, by });
        refuseLoosened(token, { before, after: answer, by: member.role === 'owner' ? 'owner' : by });
        return { answer, audit: auditOf({ action: 'token.change', id, before, after: answer }), notice: 'token' };
      });
    },
  );

  app.post(
    '/tokens/:id/rotate',
    route('Give a token a new key; the old one ends now or after the grace', {
      params,
      body: tokenRotate,
      response: { 200: portalTokenWithKey, ...failuresOfName },
    }),
    async (request) => {
      const { row } = memberOf(request);
      const { id } = request.params;
      const graceSeconds = request.body?.grace_seconds ?? 0;
      const made = await makeChange(dependencies, row.email, async (transaction, at) => {
        const member = await changingMember(transaction, request);
        const token = await requireOwn(transaction, member, id);
        requireMatch(request, writeToken(token));
        await requireLiveKey(transaction, id, at);
        if (member.cap !== null && token.member_id !== member.id) throw besideTheCap();
        const answer = await rotateToken(transaction, id, { at, graceSeconds });
        return {
          answer,
          audit: { action: 'token.rotate', id, detail: { grace_seconds: graceSeconds } },
          notice: 'token',
        };
      });
      return { ...made.token, key: made.key };
    },
  );

  app.delete(
    '/tokens/:id',
    route('Disable a token and end its keys', { params, response: { 204: done, ...failuresOfOne } }),
    async (request, reply) => {
      const { row } = memberOf(request);
      const { id } = request.params;
      await makeChange(dependencies, row.email, async (transaction, at) => {
        requireMatch(
          request,
          writeToken(await requireOwn(transaction, await changingMember(transaction, request), id)),
        );
        await retireToken(transaction, id, at);
        return { answer: undefined, audit: { action: 'token.remove', id, detail: {} }, notice: 'token' };
      });
      return reply.code(204).send();
    },
  );
}

/** What is spent with the key of a token counts for who made the token. */
function besideTheCap(): GatewayError {
  return new GatewayError('forbidden', {
    message: 'Your cap binds the tokens that you made, so you get no new key of another one. You can disable it.',
  });
}

/** In the portal a token that was ended stays so, also for those who ended it. */
async function requireLiveKey(reads: Reads, id: string, at: number): Promise<void> {
  if (!(await hasLiveKey(reads, id, at)))
    throw new GatewayError('conflict', {
      message: 'The token has ended: it can neither be enabled nor get a new key. Make a new token.',
    });
}

/** One that is not theirs is answered like one that is not there. */
async function requireOwn(reads: Reads, member: MemberRow, id: string): Promise<TokenRow> {
  const row = await findToken(reads, id);
  const isTheirs = row?.account_id === member.account_id && (member.role === 'owner' || row.member_id === member.id);
  if (row === undefined || !isTheirs) throw notFound('token', id);
  return row;
}
