// What must be known again when the browser comes back from the issuer. The browser keeps it, sealed, so that any process
// can go on and nobody else's browser can.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { SecretBox } from '../../../shared/secret-box.ts';

const COOKIE = 'tollgate_oidc';
export const STARTED_SECONDS = 600;

/** Other things are sealed with the same secret, and what an operator began is no sign-in of a member. */
const kindOf = { operator: 'oidc sign-in', member: 'oidc sign-in of a member' } as const;
export type Who = keyof typeof kindOf;

const startedSignIn = z.strictObject({
  kind: z.enum(kindOf),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  /** Path in the console, or in the portal. */
  to: z.string(),
  /** Digest of the session that the browser had; it does not come along from another site. */
  replaces: z.string().nullable(),
  expiresAt: z.number(),
});

export type StartedSignIn = Omit<z.infer<typeof startedSignIn>, 'kind'>;

interface CookieDependencies {
  secretBox: SecretBox;
  secureCookies: boolean;
  who: Who;
}

export function setStartedCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { started, secretBox, secureCookies, who }: CookieDependencies & { started: StartedSignIn },
): void {
  const sealed = secretBox.seal(JSON.stringify({ kind: kindOf[who], ...started }));
  const attributes = attributesOf(request, { secureCookies, path: new URL(started.redirectUri).pathname });
  reply.setCookie(COOKIE, sealed, { ...attributes, maxAge: STARTED_SECONDS });
}

export function clearStartedCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: { secureCookies: boolean; path: string },
): void {
  reply.clearCookie(COOKIE, attributesOf(request, dependencies));
}

/** undefined when the browser has none of that kind that is still good. */
export function readStartedCookie(
  request: FastifyRequest,
  { secretBox, who, at }: Pick<CookieDependencies, 'secretBox' | 'who'> & { at: number },
): StartedSignIn | undefined {
  const sealed = request.cookies[COOKIE];
  if (sealed === undefined) return undefined;
  try {
    const started = startedSignIn.parse(JSON.parse(secretBox.open(sealed)));
    return started.kind === kindOf[who] && started.expiresAt > at ? started : undefined;
  } catch {
    return undefined; // changed by somebody, or sealed before the master secret was changed
  }
}

/** `lax`: the way back begins at the issuer's site, and `strict` cookies would stay at home. */
function attributesOf(request: FastifyRequest, { secureCookies, path }: { secureCookies: boolean; path: string }) {
  const secure = secureCookies || request.protocol === 'https';
  return { path, httpOnly: true, sameSite: 'lax', secure } as const;
}
