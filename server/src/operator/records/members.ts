// Members as operators see them. The text of an invite is in the answer that makes it, and nowhere else.
import type { Member, MemberCreate, MemberPatch } from '#contract/members.ts';
import { formatAmount, parseAmount } from '../../billing/money.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { makeIdOfSecond, randomLetters } from '../../shared/ids.ts';
import { findAccount } from '../../store/queries/accounts.ts';
import {
  deleteMemberSessions,
  findMember,
  findMemberByEmail,
  insertMember,
  type MemberRow,
  tokensOfMember,
  updateMember,
} from '../../store/queries/members.ts';
import type { Reads, Transaction } from '../../store/store.ts';
import { withEtag } from '../etag.ts';
import { notFound, required } from '../not-found.ts';
import { given } from './json-columns.ts';
import { digest } from '../sign-in/session-cookie.ts';
import { retireToken } from './tokens.ts';

const INVITE_SECONDS = 7 * 86_400;
const UNBOUND = { oidc_issuer: null, oidc_subject: null } as const;

export interface Invite {
  token: string;
  expires_at: number;
}

export function writeMember(row: MemberRow): Member {
  // Who accepts an invite, or signs in for the first time, changes nothing that an operator has set.
  return withEtag(
    {
      id: row.id,
      account_id: row.account_id,
      email: row.email,
      role: row.role,
      status: row.status,
      cap: row.cap === null ? null : { amount: formatAmount(row.cap), period: row.cap_period },
      cap_used: formatAmount(row.cap_used),
      identity:
        row.oidc_issuer === null || row.oidc_subject === null
          ? null
          : { issuer: row.oidc_issuer, subject: row.oidc_subject },
      created_at: row.created_at,
    },
    ['status', 'identity'],
  );
}

export async function getMember(reads: Reads, accountId: string, id: string): Promise<Member> {
  const row = await findMember(reads, id);
  if (row?.account_id !== accountId) throw notFound('member', id);
  return writeMember(row);
}

export async function createMember(
  transaction: Transaction,
  accountId: string,
  { input, at }: { input: MemberCreate; at: number },
): Promise<{ member: Member; invite: Invite }> {
  required(await findAccount(transaction, accountId), 'account', accountId);
  if ((await findMemberByEmail(transaction, input.email)) !== undefined)
    throw new GatewayError('conflict', { message: `"${input.email}" is a member already.`, param: 'email' });
  const { invite, columns } = newInvite(at);
  const row: MemberRow = {
    id: makeIdOfSecond('mem', at),
    account_id: accountId,
    email: input.email,
    role: input.role,
    status: 'invited',
    password_hash: null,
    ...columns,
    ...capColumns(input.cap),
    cap_start: at,
    cap_used: 0n,
    ...UNBOUND,
    created_at: at,
  };
  await insertMember(transaction, row);
  return { member: writeMember(row), invite };
}

/** For somebody who has lost the invite or the password, or has another identity: the old ones end. */
export async function inviteAgain(
  transaction: Transaction,
  { accountId, id, at }: { accountId: string; id: string; at: number },
): Promise<{ member: Member; invite: Invite }> {
  await getMember(transaction, accountId, id);
  const { invite, columns } = newInvite(at);
  await updateMember(transaction, id, { ...columns, ...UNBOUND, status: 'invited', password_hash: null });
  await deleteMemberSessions(transaction, id);
  return { member: await getMember(transaction, accountId, id), invite };
}

export async function changeMember(
  transaction: Transaction,
  { accountId, id, at }: { accountId: string; id: string; at: number },
  patch: MemberPatch,
): Promise<{ before: Member; after: Member }> {
  const before = await getMember(transaction, accountId, id);
  if (patch.status === 'active' && before.status === 'invited')
    throw new GatewayError('conflict', { message: 'The member has not accepted the invite yet.', param: 'status' });
  await updateMember(transaction, id, {
    ...given(patch, 'role', 'status'),
    ...(patch.cap !== undefined && {
      ...capColumns(patch.cap),
      ...(isNewCap(before, patch) && { cap_start: at, cap_used: 0n }),
    }),
  });
  if (patch.status === 'disabled') await deleteMemberSessions(transaction, id);
  return { before, after: await getMember(transaction, accountId, id) };
}

/** Out of the portal, and the tokens that the member made end. The record stays, because tokens and codes name it. */
export async function retireMember(
  transaction: Transaction,
  { accountId, id, at }: { accountId: string; id: string; at: number },
): Promise<string[]> {
  await getMember(transaction, accountId, id);
  await updateMember(transaction, id, { ...UNBOUND, status: 'disabled', invite_hash: null, password_hash: null });
  await deleteMemberSessions(transaction, id);
  const tokens = await tokensOfMember(transaction, id);
  for (const tokenId of tokens) await retireToken(transaction, tokenId, at);
  return tokens;
}

/** What was spent under another period does not count in the new one. */
function isNewCap({ cap }: Member, patch: MemberPatch): boolean {
  return patch.cap !== null && cap?.period !== patch.cap?.period;
}

function capColumns(cap: MemberCreate['cap']): Pick<MemberRow, 'cap' | 'cap_period'> {
  return { cap: cap === null ? null : (parseAmount(cap.amount) ?? null), cap_period: cap?.period ?? null };
}

function newInvite(at: number) {
  const token = randomLetters(43);
  const expires_at = at + INVITE_SECONDS;
  return { invite: { token, expires_at }, columns: { invite_hash: digest(token), invite_expires_at: expires_at } };
}
