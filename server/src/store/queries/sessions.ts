// Sign-ins of operators, known by the digest of their cookie.
import type { Reads, Transaction } from '../store.ts';
import type { OperatorsTable, SessionsTable } from '../tables.ts';
import { deleteBy } from './rows.ts';

export interface SessionRow extends SessionsTable {
  name: OperatorsTable['name'];
  role: OperatorsTable['role'];
  must_change_password: number;
}

/** Only while it lasts and its operator is active. */
export async function findSession(reads: Reads, idHash: string, at: number): Promise<SessionRow | undefined> {
  return reads
    .selectFrom('sessions')
    .innerJoin('operators', 'operators.id', 'sessions.operator_id')
    .selectAll('sessions')
    .select(['operators.name', 'operators.role', 'operators.must_change_password'])
    .where('sessions.id_hash', '=', idHash)
    .where('sessions.expires_at', '>', at)
    .where('operators.status', '=', 'active')
    .executeTakeFirst();
}

/** Also forgets those that are over. */
export async function insertSession(transaction: Transaction, row: SessionsTable): Promise<void> {
  await transaction.deleteFrom('sessions').where('expires_at', '<=', row.created_at).execute();
  await transaction.insertInto('sessions').values(row).execute();
}

export const deleteSession = deleteBy('sessions', 'id_hash');
export const deleteSessionsOf = deleteBy('sessions', 'operator_id');

/** All of the operator's but one. */
export async function deleteSessionsExcept(
  transaction: Transaction,
  operatorId: string,
  idHash: string,
): Promise<void> {
  await transaction
    .deleteFrom('sessions')
    .where('operator_id', '=', operatorId)
    .where('id_hash', '!=', idHash)
    .execute();
}
