// Operators as operators see them. There is always an active admin left.
import type { Operator } from '#contract/operators.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { makeIdOfSecond } from '../../shared/ids.ts';
import {
  countActiveAdmins,
  findOperator,
  findOperatorByName,
  insertOperator,
  type OperatorRow,
  updateOperator,
} from '../../store/queries/operators.ts';
import { deleteSessionsOf } from '../../store/queries/sessions.ts';
import type { Reads, Transaction } from '../../store/store.ts';
import { withEtag } from '../etag.ts';
import { refuseTaken, required } from '../not-found.ts';
import { given } from './json-columns.ts';

export interface OperatorInput {
  name: string;
  /** Made by `hashPassword` before the transaction, which should not wait for it. */
  passwordHash: string;
  role: OperatorRow['role'];
  mustChangePassword: boolean;
}

export interface OperatorChange {
  name?: string | undefined;
  role?: OperatorRow['role'] | undefined;
  status?: OperatorRow['status'] | undefined;
  password?: { hash: string; mustChange: boolean } | undefined;
  /** Only to take it away, from somebody who has lost it. */
  secondFactor?: false | undefined;
}

export const NO_SECOND_FACTOR = { totp_secret: null, totp_confirmed: 0, totp_step: 0, recovery_hashes: '[]' } as const;

export function writeOperator(row: OperatorRow): Operator {
  return withEtag({
    id: row.id,
    name: row.name,
    role: row.role,
    status: row.status,
    must_change_password: row.must_change_password === 1,
    second_factor: row.totp_confirmed === 1,
    created_at: row.created_at,
  });
}

export async function createOperator(transaction: Transaction, input: OperatorInput, at: number): Promise<Operator> {
  await refuseTakenName(transaction, input.name);
  const row: OperatorRow = {
    id: makeIdOfSecond('opr', at),
    name: input.name,
    password_hash: input.passwordHash,
    role: input.role,
    status: 'active',
    must_change_password: input.mustChangePassword ? 1 : 0,
    ...NO_SECOND_FACTOR,
    created_at: at,
  };
  await insertOperator(transaction, row);
  return writeOperator(row);
}

/** A new password, a second factor taken away and a disabled operator each end all of the operator's sessions. */
export async function changeOperator(
  transaction: Transaction,
  id: string,
  patch: OperatorChange,
): Promise<{ before: Operator; after: Operator }> {
  const row = await requireOperator(transaction, id);
  if (patch.name !== undefined && patch.name !== row.name) await refuseTakenName(transaction, patch.name);
  await updateOperator(transaction, id, {
    ...given(patch, 'name', 'role', 'status'),
    ...(patch.password !== undefined && {
      password_hash: patch.password.hash,
      must_change_password: patch.password.mustChange ? 1 : 0,
    }),
    ...(patch.secondFactor === false && NO_SECOND_FACTOR),
  });
  if (patch.password !== undefined || patch.status === 'disabled' || patch.secondFactor === false)
    await deleteSessionsOf(transaction, id);
  const wasAdmin = row.role === 'admin' && row.status === 'active';
  if (wasAdmin && (await countActiveAdmins(transaction)) === 0) {
    throw new GatewayError('conflict', { message: 'This is the last active admin. Make another one first.' });
  }
  return { before: writeOperator(row), after: writeOperator(await requireOperator(transaction, id)) };
}

async function requireOperator(reads: Reads, id: string): Promise<OperatorRow> {
  return required(await findOperator(reads, id), 'operator', id);
}

async function refuseTakenName(reads: Reads, name: string): Promise<void> {
  refuseTaken(await findOperatorByName(reads, name), `There is an operator named "${name}" already.`);
}
