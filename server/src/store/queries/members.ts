// Members of accounts and their sessions in the portal.
import type { Reads, Transaction } from '../store.ts';
import type { MemberSessionsTable, MembersTable } from '../tables.ts';
import { type Change, changeIn, deleteBy, findBy, insertInto, pageOf, type Paging } from './rows.ts';

export type MemberRow = MembersTable;
type MemberChanges = Partial<Omit<MemberRow, 'id' | 'account_id' | 'created_at'>>;

export const findMember = findBy('members', 'id');
export const findMemberByEmail = findBy('members', 'email');

export async function findMemberByIdentity(
  reads: Reads,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<MemberRow | undefined> {
  const found = reads.selectFrom('members').selectAll().where('oidc_issuer', '=', issuer);
  return found.where('oidc_subject', '=', subject).executeTakeFirst();
}

export async function findMemberByInvite(reads: Reads, hash: string, at: number): Promise<MemberRow | undefined> {
  const found = reads.selectFrom('members').selectAll().where('invite_hash', '=', hash);
  return found.where('invite_expires_at', '>', at).where('status', '!=', 'disabled').executeTakeFirst();
}

/** Member -> account, of those that exist. */
export async function accountsOfMembers(reads: Reads, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await reads.selectFrom('members').select(['id', 'account_id']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, account_id }) => [id, account_id]));
}

/** Oldest first. */
export async function listMembers(
  reads: Reads,
  { accountId, ...paging }: Paging & { accountId: string },
): Promise<MemberRow[]> {
  return pageOf(reads, 'members', paging, { order: 'asc' }).where('account_id', '=', accountId).execute();
}

export const insertMember = insertInto('members');
export const updateMember: Change<MemberChanges> = changeIn('members');

/** Only while it lasts, the member is active and the account too. */
export async function findMemberSession(
  reads: Reads,
  idHash: string,
  at: number,
): Promise<(MemberRow & { csrf: string; expires_at: number }) | undefined> {
  return reads
    .selectFrom('member_sessions')
    .innerJoin('members', 'members.id', 'member_sessions.member_id')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .selectAll('members')
    .select(['member_sessions.csrf', 'member_sessions.expires_at'])
    .where('member_sessions.id', '=', idHash)
    .where('member_sessions.expires_at', '>', at)
    .where('members.status', '=', 'active')
    .where('accounts.status', '=', 'active')
    .executeTakeFirst();
}

/** Also forgets those that are over. */
export async function insertMemberSession(transaction: Transaction, row: MemberSessionsTable): Promise<void> {
  await transaction.deleteFrom('member_sessions').where('expires_at', '<=', row.created_at).execute();
  await transaction.insertInto('member_sessions').values(row).execute();
}

export const deleteMemberSession = deleteBy('member_sessions', 'id');
export const deleteMemberSessions = deleteBy('member_sessions', 'member_id');

/** Ids of the tokens that the member made. */
export async function tokensOfMember(reads: Reads, memberId: string): Promise<string[]> {
  const rows = await reads.selectFrom('tokens').select('id').where('member_id', '=', memberId).execute();
  return rows.map(({ id }) => id);
}
