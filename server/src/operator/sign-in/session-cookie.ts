// The session of a signed-in operator: a random cookie, stored as a digest, and a CSRF token derived from it, so that
// the console can ask for it again after a reload.
import { createHmac, hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomLetters } from '../../shared/ids.ts';
import type { SessionsTable } from '../../store/tables.ts';

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

/** `secureCookies`: people reach the gateway by https, whatever its own socket speaks. */
interface SessionCookie {
  read(request: FastifyRequest): string | undefined;
  /** Without an id it is cleared. */
  set(request: FastifyRequest, reply: FastifyReply, session: { id: string | undefined; secureCookies: boolean }): void;
}

export function sessionCookie(name: string): SessionCookie {
  return {
    read({ cookies }) {
      return cookies[name] === '' ? undefined : cookies[name];
    },
    set(request, reply, { id, secureCookies }) {
      const secure = secureCookies || request.protocol === 'https';
      const attributes = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const;
      if (id === undefined) reply.clearCookie(name, attributes);
      else reply.setCookie(name, id, { ...attributes, maxAge: SESSION_SECONDS });
    },
  };
}

export const operatorCookie = sessionCookie('tollgate_session');
