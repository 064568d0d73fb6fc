// /session: sign in, also through the OpenID Connect issuer, who am I, sign out, change the password.
import {
  passwordChange,
  session,
  type Session,
  signIn as signInBody,
  signOut as signOutQuery,
} from '#contract/session.ts';
import { errorAnswer } from '#contract/values/errors.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { deleteSession, deleteSessionsOf } from '../../store/queries/sessions.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { makeChange } from '../make-change.ts';
import { done, failures, route } from '../operation.ts';
import { secondFactorRoutes } from './second-factor.ts';
import { operatorOf, type OperatorIdentity } from '../sign-in/authenticate.ts';
import { csrfToken, digest, operatorCookie } from '../sign-in/session-cookie.ts';
import { addressOf } from '../sign-in/address-of.ts';
import { oidcRoutes } from '../sign-in/oidc/oidc-routes.ts';
import { openSession } from '../sign-in/oidc/open-session.ts';
import { SignInThrottle } from '../sign-in/throttle/sign-in-throttle.ts';
import { changePassword, signIn } from '../sign-in/sign-in.ts';

const TAG = 'Session';
const throttled = { ...failures, 429: errorAnswer };

export function sessionRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  const { currency } = dependencies;
  const throttle = new SignInThrottle(dependencies, 'password');
  secondFactorRoutes(app, dependencies, throttle);
  oidcRoutes(app, dependencies, {
    who: 'operator',
    page: { path: '/console', api: '/operator/v1' },
    tag: TAG,
    config: { operatorAccess: 'public' },
    throttle: new SignInThrottle(dependencies, 'oidc'),
    cookie: operatorCookie,
    openSession: ({ issuer }, person) => openSession(dependencies, issuer.settings, person),
  });

  app.post(
    '/session',
    {
      config: { operatorAccess: 'public' },
      ...route(TAG, 'Sign in', { security: [], body: signInBody, response: { 201: session, ...throttled } }),
    },
    async (request, reply) => {
      const replaces = operatorCookie.read(request);
      const made = await signIn(dependencies, throttle, {
        ...request.body,
        code: request.body.code,
        address: addressOf(request, dependencies),
        replaces,
      });
      operatorCookie.set(request, reply, { id: made.session.id, ...dependencies });
      return reply.code(201).send(writeSession(made, currency));
    },
  );

  app.get(
    '/session',
    {
      config: { openBeforePasswordChange: true },
      ...route(TAG, 'Who am I', { response: { 200: session, ...failures } }),
    },
    async (request) => writeSession(operatorOf(request), currency),
  );

  app.delete(
    '/session',
    {
      config: { operatorAccess: 'any-role', openBeforePasswordChange: true },
      ...route(TAG, 'Sign out', { querystring: signOutQuery, response: { 204: done, ...failures } }),
    },
    async (request, reply) => {
      const { name, session: ended } = operatorOf(request);
      const everywhere = request.query.everywhere === 'true';
      if (ended !== null) {
        await makeChange(dependencies, name, async (transaction) => {
          if (everywhere) await deleteSessionsOf(transaction, ended.operatorId);
          else await deleteSession(transaction, digest(ended.id));
          const audit = { action: 'session.remove', id: ended.operatorId, detail: everywhere ? { everywhere } : {} };
          return { answer: undefined, audit, notice: null };
        });
      }
      operatorCookie.set(request, reply, { id: undefined, ...dependencies });
      return reply.code(204).send();
    },
  );

  app.post(
    '/session/password',
    {
      config: { operatorAccess: 'any-role', openBeforePasswordChange: true },
      ...route(TAG, 'Change my password; all my other sessions end', {
        body: passwordChange,
        response: { 200: session, ...throttled },
      }),
    },
    async (request, reply) => {
      const { session: current, ...who } = operatorOf(request);
      if (current === null) throw new GatewayError('forbidden', { message: 'The operator key has no password.' });
      const changed = await changePassword(dependencies, throttle, {
        who: { ...who, session: current },
        address: addressOf(request, dependencies),
        before: request.body.current_password,
        after: request.body.new_password,
      });
      operatorCookie.set(request, reply, { id: changed.session.id, ...dependencies });
      return writeSession(changed, currency);
    },
  );
}

function writeSession({ name, role, session }: OperatorIdentity, currency: string): Session {
  return {
    name,
    role,
    must_change_password: session?.mustChangePassword ?? false,
    csrf_token: session === null ? null : csrfToken(session.id),
    expires_at: session?.expiresAt ?? null,
    currency,
    signed_in_by: session?.signedInBy ?? null,
  };
}
