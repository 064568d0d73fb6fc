// The session of a signed-in operator: a random cookie, stored as a digest, and a CSRF token derived from it, so that
// the console can ask for it again after a reload.
import { createHmac, hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomLetters } from '../../shared/ids.ts';
import type { SessionsTable } from '../../store/tables.ts';

const COOKIE = 'tollgate_session';
const PATH = '/';
export const SESSION_SECONDS = 12 * 3600;

export interface NewSession {
  id: string;
  row: SessionsTable;
}

export function newSession(
  operatorId: string,
  { at, signedInBy }: { at: number; signedInBy: SessionsTable['signed_in_by'] },
): NewSession {
  const id = randomLetters(43);
  return {
    id,
    row: {
      id_hash: digest(id),
      operator_id: operatorId,
      csrf_hash: digest(csrfToken(id)),
      created_at: at,
      expires_at: at + SESSION_SECONDS,
      signed_in_by: signedInBy,
    },
  };
}

export function digest(secret: string): string {
  return hash('sha256', secret, 'hex');
}

export function csrfToken(sessionId: string): string {
  return createHmac('sha256', sessionId).update('tollgate csrf').digest('base64url');
}

export function readSessionCookie(request: FastifyRequest): string | undefined {
  const id = request.cookies[COOKIE];
  return id === '' ? undefined : id;
}

/** `secureCookies`: people reach the gateway by https, whatever its own socket speaks. */
type CookieSettings = { secureCookies: boolean };

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { id, ...settings }: CookieSettings & { id: string },
): void {
  reply.setCookie(COOKIE, id, { ...attributes(request, settings), maxAge: SESSION_SECONDS });
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply, settings: CookieSettings): void {
  reply.clearCookie(COOKIE, attributes(request, settings));
}

function attributes(request: FastifyRequest, { secureCookies }: CookieSettings) {
  const secure = secureCookies || request.protocol === 'https';
  return { path: PATH, httpOnly: true, sameSite: 'strict', secure } as const;
}
