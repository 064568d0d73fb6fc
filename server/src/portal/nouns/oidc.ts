// /session/ways and /session/oidc: members sign in to the portal through the issuer that operators use (contract-2 10).
import type { OperatorApp } from '../../operator/dependencies.ts';
import { oidcRoutes } from '../../operator/sign-in/oidc/oidc-routes.ts';
import { SignInThrottle } from '../../operator/sign-in/throttle/sign-in-throttle.ts';
import type { PortalDependencies } from '../dependencies.ts';
import { readMemberCookie, setMemberCookie } from '../member-session.ts';
import { signInByIdentity } from '../sign-in-by-identity.ts';

export function portalOidcRoutes(app: OperatorApp, dependencies: PortalDependencies): void {
  const { oidc, secureCookies } = dependencies;
  const offered = oidc?.issuer.settings.portal === true ? oidc : undefined;
  oidcRoutes(
    app,
    { ...dependencies, oidc: offered },
    {
      who: 'member',
      page: { path: '/portal', api: '/portal/v1' },
      tag: 'Portal',
      config: { portalAccess: 'public' },
      throttle: new SignInThrottle(dependencies, 'portal oidc'),
      readSession: readMemberCookie,
      openSession: (_, person) => signInByIdentity(dependencies, person),
      setCookie: (request, reply, id) => setMemberCookie(request, reply, { id, secureCookies }),
    },
  );
}
