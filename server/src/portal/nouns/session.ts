// Sign in, also through the issuer that operators use (contract-2 10), accept an invite, who am I, change the password, sign out.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inviteAccept, portalPasswordChange, portalSession, portalSignIn } from '#contract/portal.ts';
import { errorAnswer } from '#contract/values/errors.ts';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import type { OperatorApp } from '../../operator/dependencies.ts';
import { makeChange } from '../../operator/make-change.ts';
import { done, failures } from '../../operator/operation.ts';
import { addressOf } from '../../operator/sign-in/address-of.ts';
import { oidcRoutes } from '../../operator/sign-in/oidc/oidc-routes.ts';
import { hashPassword, verifyPassword } from '../../operator/sign-in/password.ts';
import { csrfToken, digest, SESSION_SECONDS } from '../../operator/sign-in/session-cookie.ts';
import { SignInThrottle } from '../../operator/sign-in/throttle/sign-in-throttle.ts';
import { unixSeconds } from '../../shared/clock.ts';
import {
  deleteMemberSession,
  deleteMemberSessions,
  findMember,
  findMemberByEmail,
  findMemberByInvite,
  type MemberRow,
  updateMember,
} from '../../store/queries/members.ts';
import type { PortalDependencies } from '../dependencies.ts';
import { memberCookie, memberOf, openMemberSession, type SignedInMember } from '../member-session.ts';
import { route } from '../operation.ts';
import { signInByIdentity } from '../sign-in-by-identity.ts';

const throttled = { ...failures, 429: errorAnswer };

export function portalSessionRoutes(app: OperatorApp, dependencies: PortalDependencies): void {
  const { store, clock, oidc, secureCookies } = dependencies;
  const throttle = new SignInThrottle(dependencies, 'portal');
  const offered = oidc?.issuer.settings.portal === true ? oidc : undefined;
  oidcRoutes(
    app,
    { ...dependencies, oidc: offered },
    {
      who: 'member',
      page: { path: '/portal', api: '/portal/v1' },
      tag: 'Portal',
      config: { portalAccess: 'public' },
      throttle: new SignInThrottle(dependencies, 'portal oidc'),
      cookie: memberCookie,
      openSession: (_, person) => signInByIdentity(dependencies, person),
    },
  );

  app.post(
    '/invites/accept',
    {
      config: { portalAccess: 'public' },
      ...route('Accept an invite: sets the password and signs in', {
        security: [],
        body: inviteAccept,
        response: { 201: portalSession, ...throttled },
      }),
    },
    async (request, reply) => {
      const { token, password } = request.body;
      const attempt = await throttle.beginUnnamed(addressOf(request, dependencies));
      const wrong = invalidRequest('"token" is no invite that is still open. Ask for a new one.', 'token');
      const invited = await findMemberByInvite(store.reads, digest(token), unixSeconds(clock));
      if (invited === undefined) throw await attempt.refuse(wrong, 'no such invite');
      const passwordHash = await hashPassword(password);
      const session = await makeChange(dependencies, invited.email, async (transaction, at) => {
        if ((await findMemberByInvite(transaction, digest(token), at)) === undefined) throw wrong;
        const changes = { status: 'active', password_hash: passwordHash, invite_hash: null } as const;
        await updateMember(transaction, invited.id, changes);
        await deleteMemberSessions(transaction, invited.id);
        const id = await openMemberSession(transaction, invited.id, at);
        const audit = { action: 'member.accept', id: invited.id, detail: {} };
        return { answer: { id, at, row: { ...invited, ...changes } }, audit, notice: null };
      });
      await attempt.succeed();
      return answerSession(request, reply, session);
    },
  );

  app.post(
    '/session',
    {
      config: { portalAccess: 'public' },
      ...route('Sign in', { security: [], body: portalSignIn, response: { 201: portalSession, ...throttled } }),
    },
    async (request, reply) => {
      const { email, password } = request.body;
      const member = await findMemberByEmail(store.reads, email);
      const known = member && { id: member.id, name: member.email };
      const attempt = await throttle.begin({
        name: `portal ${email}`,
        operator: known,
        address: addressOf(request, dependencies),
      });
      const session = await attempt.judge(async () => {
        const right =
          (member !== undefined || !attempt.isAddressOver) &&
          (await verifyPassword(member?.password_hash ?? undefined, password));
        if (member === undefined || !right || member.status !== 'active') throw wrongPassword();
        return makeChange(dependencies, member.email, async (transaction, at) => {
          const current = await findMember(transaction, member.id);
          if (current?.status !== 'active' || current.password_hash !== member.password_hash) throw wrongPassword();
          const id = await openMemberSession(transaction, member.id, at);
          return {
            answer: { id, at, row: current },
            audit: { action: 'member.sign_in', id: member.id, detail: {} },
            notice: null,
          };
        });
      });
      return answerSession(request, reply, session);
    },
  );

  app.get('/session', route('Who am I', { response: { 200: portalSession, ...failures } }), async (request) =>
    writeSession(memberOf(request)),
  );

  app.delete(
    '/session',
    { config: { portalAccess: 'viewer' }, ...route('Sign out', { response: { 204: done, ...failures } }) },
    async (request, reply) => {
      await store.transaction((transaction) => deleteMemberSession(transaction, digest(memberOf(request).sessionId)));
      memberCookie.set(request, reply, { id: undefined, secureCookies });
      return reply.code(204).send();
    },
  );

  app.post(
    '/session/password',
    {
      config: { portalAccess: 'viewer' },
      ...route('Change my password; all my other sessions end', {
        body: portalPasswordChange,
        response: { 201: portalSession, ...throttled, 409: errorAnswer },
      }),
    },
    async (request, reply) => {
      const { row } = memberOf(request);
      const { current_password: before, new_password: after } = request.body;
      if (row.password_hash === null)
        throw new GatewayError('conflict', {
          message: 'You have no password: you sign in through your sign-in service.',
        });
      const attempt = await throttle.begin({
        name: `portal ${row.email}`,
        operator: { id: row.id, name: row.email },
        address: addressOf(request, dependencies),
      });
      await attempt.judge(async () => {
        if (await verifyPassword(row.password_hash ?? undefined, before)) return;
        throw invalidRequest('"current_password" is wrong.', 'current_password');
      });
      if (before === after) throw invalidRequest('"new_password" must differ from the old one.', 'new_password');
      const passwordHash = await hashPassword(after);
      const session = await makeChange(dependencies, row.email, async (transaction, at) => {
        const current = await findMember(transaction, row.id);
        if (current?.password_hash !== row.password_hash)
          throw invalidRequest('"current_password" is wrong.', 'current_password');
        await updateMember(transaction, row.id, { password_hash: passwordHash });
        await deleteMemberSessions(transaction, row.id);
        const id = await openMemberSession(transaction, row.id, at);
        const audit = { action: 'member.change', id: row.id, detail: { password: 'changed' } };
        return { answer: { id, at, row }, audit, notice: null };
      });
      return answerSession(request, reply, session);
    },
  );

  type Answer = { id: string; at: number; row: MemberRow };
  function answerSession(request: FastifyRequest, reply: FastifyReply, { id, at, row }: Answer) {
    memberCookie.set(request, reply, { id, secureCookies });
    return reply.code(201).send(writeSession({ row, sessionId: id, expiresAt: at + SESSION_SECONDS }));
  }
}

function writeSession({ row: { email, role, account_id, password_hash }, sessionId, expiresAt }: SignedInMember) {
  const has_password = password_hash !== null;
  return { email, role, account_id, has_password, csrf_token: csrfToken(sessionId), expires_at: expiresAt };
}

function wrongPassword(): GatewayError {
  return new GatewayError('invalid_api_key', { message: 'The e-mail address or the password is wrong.' });
}
