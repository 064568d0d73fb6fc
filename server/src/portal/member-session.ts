// The session of a member: a random cookie of the portal's own path, stored as a digest, and a CSRF token for changes.
import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../errors/gateway-error.ts';
import { refuseOtherSites } from '../operator/sign-in/authenticate.ts';
import { csrfToken, digest, SESSION_SECONDS, sessionCookie } from '../operator/sign-in/session-cookie.ts';
import { unixSeconds } from '../shared/clock.ts';
import { randomLetters } from '../shared/ids.ts';
import { findMember, findMemberSession, insertMemberSession, type MemberRow } from '../store/queries/members.ts';
import type { Transaction } from '../store/store.ts';
import type { PortalDependencies } from './dependencies.ts';

export const MEMBER_DECORATOR = 'member';
export const memberCookie = sessionCookie('tollgate_portal');

export interface SignedInMember {
  row: MemberRow;
  sessionId: string;
  expiresAt: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `public`: nobody has signed in yet. `viewer`: also viewers may do it. */
    portalAccess?: 'public' | 'viewer';
  }
}

export function memberOf(request: FastifyRequest): SignedInMember {
  return request.getDecorator<SignedInMember>(MEMBER_DECORATOR);
}

/** Runs before the body is read. Changes need the CSRF token, and more than a viewer's role. */
export function memberAuthenticator({ store, clock }: PortalDependencies) {
  return async (request: FastifyRequest): Promise<void> => {
    const access = request.routeOptions.config.portalAccess;
    const unsafe = refuseOtherSites(request);
    if (access === 'public') return;
    const sessionId = memberCookie.read(request);
    const found =
      sessionId === undefined ? undefined : await findMemberSession(store.reads, digest(sessionId), unixSeconds(clock));
    if (sessionId === undefined || found === undefined) throw signInFirst();
    if (unsafe && !isSame(request.headers['x-csrf-token'], csrfToken(sessionId)))
      throw new GatewayError('csrf_token_invalid');
    const { csrf: _, expires_at: expiresAt, ...row } = found;
    if (unsafe && row.role === 'viewer' && access !== 'viewer') throw mayOnlyLook();
    request.setDecorator(MEMBER_DECORATOR, { row, sessionId, expiresAt });
  };
}

/** The member as of the change itself: one who was removed while the request came in makes nothing more. */
export async function changingMember(transaction: Transaction, request: FastifyRequest): Promise<MemberRow> {
  const member = await findMember(transaction, memberOf(request).row.id);
  if (member?.status !== 'active') throw signInFirst();
  if (member.role === 'viewer') throw mayOnlyLook();
  return member;
}

function signInFirst(): GatewayError {
  return new GatewayError('missing_api_key', { message: 'Sign in to the portal first.' });
}

function mayOnlyLook(): GatewayError {
  return new GatewayError('forbidden', { message: 'Your role in this account may only look.' });
}

export async function openMemberSession(transaction: Transaction, memberId: string, at: number): Promise<string> {
  const id = randomLetters(43);
  const row = { id: digest(id), member_id: memberId, csrf: digest(csrfToken(id)), created_at: at };
  await insertMemberSession(transaction, { ...row, expires_at: at + SESSION_SECONDS });
  return id;
}

function isSame(given: string | string[] | undefined, wanted: string): boolean {
  if (typeof given !== 'string') return false;
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}
