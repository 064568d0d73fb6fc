// /session/second-factor: an operator's own second factor.
import type { FastifyRequest } from 'fastify';
import {
  secondFactor,
  secondFactorBegin,
  secondFactorBegun,
  secondFactorConfirm,
  secondFactorConfirmed,
  secondFactorRemove,
} from '#contract/session.ts';
import { errorAnswer } from '#contract/values/errors.ts';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import { findOperator, type OperatorRow, updateOperator } from '../../store/queries/operators.ts';
import { deleteSessionsExcept } from '../../store/queries/sessions.ts';
import type { Reads, Transaction } from '../../store/store.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { makeChange } from '../make-change.ts';
import { required } from '../not-found.ts';
import { done, failures, route } from '../operation.ts';
import { NO_SECOND_FACTOR } from '../records/operators.ts';
import { addressOf } from '../sign-in/address-of.ts';
import { operatorOf } from '../sign-in/authenticate.ts';
import { verifyPassword } from '../sign-in/password.ts';
import {
  hasSecondFactor,
  makeRecoveryCodes,
  recoveryCodesLeft,
  recoveryHashes,
  useCode,
  wrongCode,
} from '../sign-in/second-factor.ts';
import { digest } from '../sign-in/session-cookie.ts';
import type { Attempt, SignInThrottle } from '../sign-in/throttle/sign-in-throttle.ts';
import { makeTotpSecret, totpUri } from '../sign-in/totp.ts';

const TAG = 'Session';
const PATH = '/session/second-factor';
const config = { operatorAccess: 'any-role' } as const;
const refusals = { ...failures, 409: errorAnswer, 429: errorAnswer };

export function secondFactorRoutes(
  app: OperatorApp,
  dependencies: OperatorDependencies,
  throttle: SignInThrottle,
): void {
  const { store, secretBox } = dependencies;

  const begin = async (request: FastifyRequest): Promise<Attempt> => {
    const operator = await ownRow(store.reads, request);
    return throttle.begin({ name: operator.name, operator, address: addressOf(request, dependencies) });
  };
  const checkPassword = async (request: FastifyRequest, password: string): Promise<void> => {
    const { password_hash } = await ownRow(store.reads, request);
    if (!(await verifyPassword(password_hash, password))) throw invalidRequest('"password" is wrong.', 'password');
  };

  app.get(
    PATH,
    route(TAG, 'Have I a second factor', { response: { 200: secondFactor, ...failures } }),
    async (request) => {
      const row = await ownRow(store.reads, request);
      return { enabled: hasSecondFactor(row), recovery_codes_left: recoveryCodesLeft(row) };
    },
  );

  app.post(
    PATH,
    {
      config,
      ...route(TAG, 'Begin a second factor; it is asked for once it is confirmed', {
        body: secondFactorBegin,
        response: { 200: secondFactorBegun, ...refusals },
      }),
    },
    async (request) => {
      const attempt = await begin(request);
      await attempt.judge(() => checkPassword(request, request.body.password));
      const secret = makeTotpSecret();
      const { name } = operatorOf(request);
      return makeChange(dependencies, name, async (transaction) => {
        const row = await ownRow(transaction, request);
        if (hasSecondFactor(row)) throw new GatewayError('conflict', { message: 'You have a second factor already.' });
        await updateOperator(transaction, row.id, { ...NO_SECOND_FACTOR, totp_secret: secretBox.seal(secret) });
        const audit = { action: 'operator.change', id: row.id, detail: { second_factor: 'begun' } };
        return { answer: { secret, uri: totpUri(secret, name) }, audit, notice: null };
      });
    },
  );

  app.post(
    `${PATH}/confirm`,
    {
      config,
      ...route(TAG, 'Confirm my second factor with a first code; all my other sessions end', {
        body: secondFactorConfirm,
        response: { 200: secondFactorConfirmed, ...refusals },
      }),
    },
    async (request) => {
      const { name, session } = operatorOf(request);
      const attempt = await begin(request);
      const codes = makeRecoveryCodes();
      const confirm = async (transaction: Transaction, at: number) => {
        const row = await ownRow(transaction, request);
        if (hasSecondFactor(row)) throw new GatewayError('conflict', { message: 'It is confirmed already.' });
        if (!(await useCode(transaction, secretBox, { operator: row, code: request.body.code, at }))) throw wrongCode();
        await updateOperator(transaction, row.id, { totp_confirmed: 1, recovery_hashes: recoveryHashes(codes) });
        await deleteSessionsExcept(transaction, row.id, digest(session?.id ?? ''));
        const audit = { action: 'operator.change', id: row.id, detail: { second_factor: { from: false, to: true } } };
        return { answer: { recovery_codes: codes }, audit, notice: null };
      };
      return attempt.judge(() => makeChange(dependencies, name, confirm));
    },
  );

  app.post(
    `${PATH}/remove`,
    {
      config,
      ...route(TAG, 'Give my second factor up', { body: secondFactorRemove, response: { 204: done, ...refusals } }),
    },
    async (request, reply) => {
      const attempt = await begin(request);
      const { name } = operatorOf(request);
      const remove = async (transaction: Transaction, at: number) => {
        const row = await ownRow(transaction, request);
        if (!hasSecondFactor(row)) throw new GatewayError('conflict', { message: 'You have no second factor.' });
        if (!(await useCode(transaction, secretBox, { operator: row, code: request.body.code, at }))) throw wrongCode();
        await updateOperator(transaction, row.id, NO_SECOND_FACTOR);
        const audit = { action: 'operator.change', id: row.id, detail: { second_factor: { from: true, to: false } } };
        return { answer: undefined, audit, notice: null };
      };
      await attempt.judge(async () => {
        await checkPassword(request, request.body.password);
        await makeChange(dependencies, name, remove);
      });
      return reply.code(204).send();
    },
  );
}

async function ownRow(reads: Reads, request: FastifyRequest): Promise<OperatorRow> {
  const { session } = operatorOf(request);
  if (session === null) throw new GatewayError('forbidden', { message: 'The operator key has no second factor.' });
  return required(await findOperator(reads, session.operatorId), 'operator', session.operatorId);
}
