// /session/ways and /session/oidc: operators sign in to the console through the OpenID Connect issuer.
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { oidcRoutes } from '../sign-in/oidc/oidc-routes.ts';
import { openSession } from '../sign-in/oidc/open-session.ts';
import { readSessionCookie, setSessionCookie } from '../sign-in/session-cookie.ts';
import { SignInThrottle } from '../sign-in/throttle/sign-in-throttle.ts';

export function operatorOidcRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  const { secureCookies } = dependencies;
  oidcRoutes(app, dependencies, {
    who: 'operator',
    page: { path: '/console', api: '/operator/v1' },
    tag: 'Session',
    config: { operatorAccess: 'public' },
    throttle: new SignInThrottle(dependencies, 'oidc'),
    readSession: readSessionCookie,
    openSession: ({ issuer }, person) => openSession(dependencies, issuer.settings, person),
    setCookie: (request, reply, id) => setSessionCookie(request, reply, { id, secureCookies }),
  });
}
