// /session: sign in, who am I, sign out, change the password.
import type { FastifyRequest } from 'fastify';
import { passwordChange, session, type Session, signIn } from '#contract/session.ts';
import { errorAnswer } from '#contract/values/errors.ts';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import { findOperator, findOperatorByName } from '../../store/queries/operators.ts';
import { deleteSession, insertSession } from '../../store/queries/sessions.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { makeChange } from '../make-change.ts';
import { done, failures, operation } from '../operation.ts';
import { changeOperator } from '../records/operators.ts';
import { operatorOf, type OperatorIdentity } from '../sign-in/authenticate.ts';
import { hashPassword, verifyPassword } from '../sign-in/password.ts';
import {
  clearSessionCookie,
  csrfToken,
  digest,
  newSession,
  readSessionCookie,
  setSessionCookie,
} from '../sign-in/session-cookie.ts';
import { SignInThrottle } from '../sign-in/sign-in-throttle.ts';

const TAG = 'Session';
const throttled = { ...failures, 429: errorAnswer };

export function sessionRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  const { store } = dependencies;
  const throttle = new SignInThrottle(dependencies.clock);

  app.post(
    '/session',
    {
      config: { operatorAccess: 'public' },
      schema: { tags: [TAG], summary: 'Sign in', security: [], body: signIn, response: { 201: session, ...throttled } },
    },
    async (request, reply) => {
      const { name, password } = request.body;
      const address = addressOf(request);
      throttle.begin(name, address);
      const operator = await findOperatorByName(store.reads, name);
      const right = await verifyPassword(operator?.password_hash, password);
      if (operator === undefined || !right || operator.status !== 'active') throw wrongPassword();
      throttle.succeed(name, address);

      const replaced = readSessionCookie(request);
      const made = await makeChange(dependencies, name, async (transaction, at) => {
        // Between the check and now the operator may have been disabled or given another password.
        const current = await findOperator(transaction, operator.id);
        if (current?.status !== 'active' || current.password_hash !== operator.password_hash) throw wrongPassword();
        if (replaced !== undefined) await deleteSession(transaction, digest(replaced));
        const answer = newSession(operator.id, at);
        await insertSession(transaction, answer.row);
        return { answer, audit: { action: 'session.create', id: operator.id, detail: {} }, notice: null };
      });
      setSessionCookie(request, reply, made.id);
      return reply.code(201).send({
        name,
        role: operator.role,
        must_change_password: operator.must_change_password === 1,
        csrf_token: csrfToken(made.id),
        expires_at: made.row.expires_at,
      });
    },
  );

  app.get(
    '/session',
    { schema: { ...operation(TAG, 'Who am I'), response: { 200: session, ...failures } } },
    async (request) => writeSession(operatorOf(request)),
  );

  app.delete(
    '/session',
    {
      config: { operatorAccess: 'any-role' },
      schema: { ...operation(TAG, 'Sign out'), response: { 204: done, ...failures } },
    },
    async (request, reply) => {
      const { name, session: ended } = operatorOf(request);
      if (ended !== null) {
        await makeChange(dependencies, name, async (transaction) => {
          await deleteSession(transaction, digest(ended.id));
          const audit = { action: 'session.remove', id: ended.operatorId, detail: {} };
          return { answer: undefined, audit, notice: null };
        });
      }
      clearSessionCookie(request, reply);
      return reply.code(204).send();
    },
  );

  app.post(
    '/session/password',
    {
      config: { operatorAccess: 'any-role' },
      schema: {
        ...operation(TAG, 'Change my password; all my other sessions end'),
        body: passwordChange,
        response: { 200: session, ...throttled },
      },
    },
    async (request, reply) => {
      const { name, role, session: current } = operatorOf(request);
      if (current === null) throw new GatewayError('forbidden', { message: 'The operator key has no password.' });
      const { current_password: before, new_password: after } = request.body;
      const address = addressOf(request);
      throttle.begin(name, address);
      const operator = await findOperator(store.reads, current.operatorId);
      if (!(await verifyPassword(operator?.password_hash, before))) {
        throw invalidRequest('"current_password" is wrong.', 'current_password');
      }
      throttle.succeed(name, address);
      if (before === after) throw invalidRequest('"new_password" must differ from the old one.', 'new_password');

      const hash = await hashPassword(after);
      const made = await makeChange(dependencies, name, async (transaction, at) => {
        const id = current.operatorId;
        await changeOperator(transaction, id, { password: { hash, mustChange: false } });
        const answer = newSession(id, at);
        await insertSession(transaction, answer.row);
        return { answer, audit: { action: 'operator.change', id, detail: { password: 'changed' } }, notice: null };
      });
      setSessionCookie(request, reply, made.id);
      const { expires_at: expiresAt } = made.row;
      return writeSession({ name, role, session: { ...current, id: made.id, mustChangePassword: false, expiresAt } });
    },
  );
}

function writeSession({ name, role, session }: OperatorIdentity): Session {
  return {
    name,
    role,
    must_change_password: session?.mustChangePassword ?? false,
    csrf_token: session === null ? null : csrfToken(session.id),
    expires_at: session?.expiresAt ?? null,
  };
}

/** Of the socket, never of a header. */
function addressOf(request: FastifyRequest): string {
  return request.socket.remoteAddress ?? 'unknown';
}

function wrongPassword(): GatewayError {
  return new GatewayError('invalid_api_key', { message: 'The name or the password is wrong.' });
}
