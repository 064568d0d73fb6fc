// Signs in the member whom the issuer has identified. The first sign-in finds the member by the verified e-mail address and
// binds issuer and subject to it, later ones find it by these alone: an address that changes hands opens nothing.
import { makeChange } from '../operator/make-change.ts';
import type { Person } from '../operator/sign-in/oidc/identify.ts';
import { OidcFailure } from '../operator/sign-in/oidc/oidc-failure.ts';
import { findAccount } from '../store/queries/accounts.ts';
import {
  deleteMemberSession,
  findMemberByEmail,
  findMemberByIdentity,
  type MemberRow,
  updateMember,
} from '../store/queries/members.ts';
import type { Reads } from '../store/store.ts';
import type { PortalDependencies } from './dependencies.ts';
import { openMemberSession } from './member-session.ts';

/** Small letters of other alphabets' look-alikes (such as the Kelvin sign) would be somebody else's address. */
const ASCII = /^[!-~]+$/;

/** Answers the session's id, for the cookie. */
export async function signInByIdentity(
  dependencies: PortalDependencies,
  { replaces, ...person }: Person & { replaces: string | null },
): Promise<string> {
  const { email: author } = await findMember(dependencies.store.reads, person);
  return makeChange(dependencies, author, async (transaction, at) => {
    const row = await findMember(transaction, person);
    await refuse(transaction, row, at);
    const isInvited = row.status === 'invited';
    const { issuer, subject } = person;
    if (row.oidc_subject === null) {
      const accepted = isInvited ? ({ status: 'active', invite_hash: null } as const) : {};
      await updateMember(transaction, row.id, { oidc_issuer: issuer, oidc_subject: subject, ...accepted });
    }
    if (replaces !== null) await deleteMemberSession(transaction, replaces);
    const answer = await openMemberSession(transaction, row.id, at);
    const action = isInvited ? 'member.accept' : 'member.sign_in';
    return { answer, audit: { action, id: row.id, detail: { signed_in_by: 'oidc', issuer, subject } }, notice: null };
  });
}

/** Throws OidcFailure where nobody is meant. */
async function findMember(reads: Reads, person: Person): Promise<MemberRow> {
  const bound = await findMemberByIdentity(reads, person);
  if (bound !== undefined) return bound;
  const { email } = person;
  const named = ASCII.test(email) ? await findMemberByEmail(reads, email.toLowerCase()) : undefined;
  const shown = JSON.stringify(email.slice(0, 200));
  if (named === undefined) throw new OidcFailure('unknown_person', `${shown} is no member of an account`);
  if (named.oidc_subject === null) return named;
  throw new OidcFailure(
    'other_identity',
    `the member ${shown} is bound to another issuer or subject; invite them again`,
  );
}

async function refuse(reads: Reads, row: MemberRow, at: number): Promise<void> {
  if (row.status === 'disabled') throw new OidcFailure('disabled', `the member ${row.email} is disabled`);
  if (row.status === 'invited' && (row.invite_expires_at ?? 0) <= at)
    throw new OidcFailure('invite_expired', `the invite of ${row.email} is over; invite them again`);
  if ((await findAccount(reads, row.account_id))?.status !== 'active')
    throw new OidcFailure('disabled', `the account of ${row.email} is not active`);
}
