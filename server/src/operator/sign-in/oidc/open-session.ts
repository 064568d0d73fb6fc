// Opens a session for a person whom the issuer has identified. The lists of the settings decide every time who comes in
// as what; the operator's row only keeps the name for the audit log, and may shut the person out.
import { randomLetters } from '../../../shared/ids.ts';
import { findOperator, findOperatorByName, type OperatorRow } from '../../../store/queries/operators.ts';
import { deleteSession, insertSession } from '../../../store/queries/sessions.ts';
import type { OperatorDependencies } from '../../dependencies.ts';
import { makeChange } from '../../make-change.ts';
import { changeOperator, createOperator } from '../../records/operators.ts';
import { hashPassword } from '../password.ts';
import { newSession } from '../session-cookie.ts';
import type { Person } from './identify.ts';
import { roleOf } from './named-people.ts';
import { OidcFailure } from './oidc-failure.ts';
import type { OidcSettings } from './oidc-settings.ts';

/** Nobody knows it, so nobody signs in with it. */
const PASSWORD_LETTERS = 43;

/** Answers the session's id, for the cookie. */
export async function openSession(
  dependencies: OperatorDependencies,
  { issuer, people }: OidcSettings,
  { email, subject, replaces }: Person & { replaces: string | null },
): Promise<string> {
  const role = roleOf(email, people);
  if (role === undefined)
    throw new OidcFailure('unknown_person', `${JSON.stringify(email.slice(0, 200))} is not among the named people`);
  const name = email.toLowerCase();
  const operatorId = await operatorInRole(dependencies, name, role);
  return makeChange(dependencies, name, async (transaction, at) => {
    refuseDisabled(await findOperator(transaction, operatorId));
    if (replaces !== null) await deleteSession(transaction, replaces);
    const { id, row } = newSession(operatorId, { at, signedInBy: 'oidc' });
    await insertSession(transaction, row);
    const detail = { signed_in_by: 'oidc', issuer, subject };
    return { answer: id, audit: { action: 'session.create', id: operatorId, detail }, notice: null };
  });
}

/** The operator of that name, made if need be, with the role that the lists say now. */
async function operatorInRole(
  dependencies: OperatorDependencies,
  name: string,
  role: OperatorRow['role'],
): Promise<string> {
  const known = await findOperatorByName(dependencies.store.reads, name);
  refuseDisabled(known);
  if (known?.role === role) return known.id;
  const passwordHash = await hashPassword(randomLetters(PASSWORD_LETTERS));
  return makeChange(dependencies, name, async (transaction, at) => {
    const row = await findOperatorByName(transaction, name);
    refuseDisabled(row);
    if (row === undefined) {
      const made = await createOperator(transaction, { name, passwordHash, role, mustChangePassword: false }, at);
      const detail = { ...made, signed_in_by: 'oidc' };
      return { answer: made.id, audit: { action: 'operator.create', id: made.id, detail }, notice: null };
    }
    if (row.role === role) return { answer: row.id, audit: null, notice: null };
    await changeOperator(transaction, row.id, { role });
    const detail = { role: { from: row.role, to: role }, signed_in_by: 'oidc' };
    return { answer: row.id, audit: { action: 'operator.change', id: row.id, detail }, notice: null };
  });
}

function refuseDisabled(row: OperatorRow | undefined): void {
  if (row?.status === 'disabled') throw new OidcFailure('disabled', `the operator ${row.name} is disabled`);
}
