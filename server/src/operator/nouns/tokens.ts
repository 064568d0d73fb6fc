// /tokens: make, change, rotate and retire access tokens.
import {
  token,
  tokenCreate,
  tokenCreated,
  tokenList,
  tokenPatch,
  tokenQuery,
  tokenRotate,
  tokenWithKey,
} from '#contract/tokens.ts';
import { errorAnswer } from '#contract/values/errors.ts';
import type { SortedPaging } from '../../store/queries/sorting.ts';
import { listTokens } from '../../store/queries/tokens.ts';
import { auditOf } from '../audit-of.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { requireMatch } from '../etag.ts';
import { readPage, withNames } from '../list-page.ts';
import { makeChange } from '../make-change.ts';
import {
  done,
  failures,
  failuresOfList,
  failuresOfName,
  failuresOfOne,
  idParams as params,
  route,
} from '../operation.ts';
import { changeToken, createToken, getToken, retireToken, rotateToken, writeToken } from '../records/tokens.ts';
import { operatorOf } from '../sign-in/authenticate.ts';

const TAG = 'Tokens';

export function tokenRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  const { reads, lists } = dependencies.store;

  app.get(
    '/tokens',
    route(TAG, 'List tokens', { querystring: tokenQuery, response: { 200: tokenList, ...failuresOfList } }),
    async ({ query: { limit, cursor, sort, account_id: accountId, key_hash: hash, ...filters } }) => {
      const keyHash = hash?.slice('sha256:'.length).toLowerCase();
      const list = (paging: SortedPaging) => listTokens(lists, { ...filters, accountId, keyHash, ...paging });
      const page = await readPage({ limit, cursor, sort }, list, writeToken);
      return withNames(lists, page, (data) => ({ accounts: data.map((row) => row.account_id) }));
    },
  );

  app.post(
    '/tokens',
    route(TAG, 'Create a token; the answer is the only one that shows its key', {
      body: tokenCreate,
      response: { 201: tokenCreated, ...failures, 409: errorAnswer },
    }),
    async (request, reply) => {
      const made = await makeChange(dependencies, operatorOf(request).name, async (transaction, at) => {
        const answer = await createToken(transaction, request.body, at);
        const audit = { action: 'token.create', id: answer.token.id, detail: answer.token };
        return { answer, audit, notice: 'token' };
      });
      return reply.code(201).send({ ...made.token, key: made.key });
    },
  );

  app.get(
    '/tokens/:id',
    route(TAG, 'Read a token', { params, response: { 200: token, ...failuresOfOne } }),
    async (request) => getToken(reads, request.params.id),
  );

  app.patch(
    '/tokens/:id',
    route(TAG, 'Change a token', { params, body: tokenPatch, response: { 200: token, ...failuresOfOne } }),
    async (request) =>
      makeChange(dependencies, operatorOf(request).name, async (transaction, at) => {
        const { id } = request.params;
        const before = await getToken(transaction, id);
        requireMatch(request, before);
        const answer = await changeToken(transaction, id, { patch: request.body, at, by: 'operator' });
        return { answer, audit: auditOf({ action: 'token.change', id, before, after: answer }), notice: 'token' };
      }),
  );

  app.delete(
    '/tokens/:id',
    route(TAG, 'Disable a token and end its keys; its record stays', {
      params,
      response: { 204: done, ...failuresOfOne },
    }),
    async (request, reply) => {
      const { id } = request.params;
      await makeChange(dependencies, operatorOf(request).name, async (transaction, at) => {
        requireMatch(request, await getToken(transaction, id));
        await retireToken(transaction, id, at);
        return { answer: undefined, audit: { action: 'token.remove', id, detail: {} }, notice: 'token' };
      });
      return reply.code(204).send();
    },
  );

  app.post(
    '/tokens/:id/rotate',
    route(TAG, 'Give a token a new key; the old one ends now or after the grace', {
      params,
      body: tokenRotate,
      response: { 200: tokenWithKey, ...failuresOfName },
    }),
    async (request) => {
      const { id } = request.params;
      const graceSeconds = request.body?.grace_seconds ?? 0;
      const made = await makeChange(dependencies, operatorOf(request).name, async (transaction, at) => {
        requireMatch(request, await getToken(transaction, id));
        const answer = await rotateToken(transaction, id, { at, graceSeconds });
        const detail = { grace_seconds: graceSeconds, key_hint: answer.token.key_hint };
        return { answer, audit: { action: 'token.rotate', id, detail }, notice: 'token' };
      });
      return { ...made.token, key: made.key };
    },
  );
}
