// Opens a session for a name and password, and changes a password. Both are throttled, because both let one guess.
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import { findOperator, findOperatorByName, type OperatorRow } from '../../store/queries/operators.ts';
import { deleteSession, insertSession } from '../../store/queries/sessions.ts';
import type { OperatorDependencies } from '../dependencies.ts';
import { makeChange } from '../make-change.ts';
import { changeOperator } from '../records/operators.ts';
import type { OperatorIdentity } from './authenticate.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { hasSecondFactor, useCode } from './second-factor.ts';
import { digest, newSession } from './session-cookie.ts';
import type { SignInThrottle } from './throttle/sign-in-throttle.ts';

/** An identity that surely has a session. */
export type SignedIn = OperatorIdentity & { session: NonNullable<OperatorIdentity['session']> };

interface SignInInput {
  name: string;
  password: string;
  /** Of the second factor. */
  code: string | undefined;
  /** Where it comes from, by the rules of TOLLGATE_TRUSTED_PROXIES. */
  address: string;
  /** The session that the browser brought along; it ends. */
  replaces: string | undefined;
}

export async function signIn(
  dependencies: OperatorDependencies,
  throttle: SignInThrottle,
  { name, password, code, address, replaces }: SignInInput,
): Promise<SignedIn> {
  const operator = await findOperatorByName(dependencies.store.reads, name);
  const attempt = await throttle.begin({ name, operator, address });
  return attempt.judge(async () => {
    // From a throttled address the work is done only for names that exist, of which each may be tried a few times.
    const right =
      (operator !== undefined || !attempt.isAddressOver) && (await verifyPassword(operator?.password_hash, password));
    if (operator === undefined || !right || operator.status !== 'active') throw wrongPassword();
    // Still counted as a try: a caller with the password alone must not guess codes for free.
    if (hasSecondFactor(operator) && code === undefined) throw new GatewayError('second_factor_required');
    return openSession(dependencies, { operator, code, replaces });
  });
}

async function openSession(
  dependencies: OperatorDependencies,
  { operator, code, replaces }: { operator: OperatorRow } & Pick<SignInInput, 'code' | 'replaces'>,
): Promise<SignedIn> {
  const { id: operatorId, name, role } = operator;
  const { id, row } = await makeChange(dependencies, name, async (transaction, at) => {
    // Between the check and now the operator may have been disabled or given another password.
    const current = await findOperator(transaction, operatorId);
    if (current?.status !== 'active' || current.password_hash !== operator.password_hash) throw wrongPassword();
    if (hasSecondFactor(current)) {
      const right = await useCode(transaction, dependencies.secretBox, { operator: current, code: code ?? '', at });
      if (!right)
        throw new GatewayError('invalid_api_key', { message: 'The code is wrong, too old, or was used before.' });
    }
    if (replaces !== undefined) await deleteSession(transaction, digest(replaces));
    const answer = newSession(operatorId, { at, signedInBy: 'password' });
    await insertSession(transaction, answer.row);
    return { answer, audit: { action: 'session.create', id: operatorId, detail: {} }, notice: null };
  });
  const mustChangePassword = operator.must_change_password === 1;
  const signedInBy = row.signed_in_by;
  return { name, role, session: { id, operatorId, mustChangePassword, expiresAt: row.expires_at, signedInBy } };
}

/** Ends every session of the operator and opens a new one. */
export async function changePassword(
  dependencies: OperatorDependencies,
  throttle: SignInThrottle,
  input: { who: SignedIn; address: string; before: string; after: string },
): Promise<SignedIn> {
  const { who, address, before, after } = input;
  const { operatorId } = who.session;
  const operator = await findOperator(dependencies.store.reads, operatorId);
  const attempt = await throttle.begin({ name: who.name, operator, address });
  await attempt.judge(async () => {
    if (await verifyPassword(operator?.password_hash, before)) return;
    throw invalidRequest('"current_password" is wrong.', 'current_password');
  });
  if (before === after) throw invalidRequest('"new_password" must differ from the old one.', 'new_password');

  const hash = await hashPassword(after);
  const { id, row } = await makeChange(dependencies, who.name, async (transaction, at) => {
    await changeOperator(transaction, operatorId, { password: { hash, mustChange: false } });
    const answer = newSession(operatorId, { at, signedInBy: 'password' });
    await insertSession(transaction, answer.row);
    const audit = { action: 'operator.change', id: operatorId, detail: { password: 'changed' } };
    return { answer, audit, notice: null };
  });
  const { expires_at: expiresAt, signed_in_by: signedInBy } = row;
  return { ...who, session: { id, operatorId, mustChangePassword: false, expiresAt, signedInBy } };
}

function wrongPassword(): GatewayError {
  return new GatewayError('invalid_api_key', { message: 'The name or the password is wrong.' });
}
