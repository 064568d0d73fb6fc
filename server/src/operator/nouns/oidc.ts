// /session/ways and /session/oidc: the way of a browser to the OpenID Connect issuer and back. Whatever goes wrong on it
// ends at the sign-in page, with a word that the page explains.
import { z } from 'zod';
import { signInCallback, type SignInFailure, signInStart, signInWays } from '#contract/oidc.ts';
import { errorAnswer } from '#contract/values/errors.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { unixSeconds } from '../../shared/clock.ts';
import type { OidcDependencies, OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { operation } from '../operation.ts';
import { addressOf } from '../sign-in/address-of.ts';
import { beginSignIn } from '../sign-in/oidc/begin-sign-in.ts';
import { identify, requireStarted } from '../sign-in/oidc/identify.ts';
import { OidcFailure } from '../sign-in/oidc/oidc-failure.ts';
import { openSession } from '../sign-in/oidc/open-session.ts';
import { CALLBACK_PATH, consoleAddress, gatewayAddress, START_PATH } from '../sign-in/oidc/addresses.ts';
import { clearStartedCookie, readStartedCookie, setStartedCookie } from '../sign-in/oidc/started-sign-in.ts';
import { digest, readSessionCookie, setSessionCookie } from '../sign-in/session-cookie.ts';
import { type Attempt, SignInThrottle } from '../sign-in/throttle/sign-in-throttle.ts';

const TAG = 'Session';
const config = { operatorAccess: 'public' } as const;
const elsewhere = (description: string) => ({
  302: z.undefined().meta({ description }),
  400: errorAnswer,
  404: errorAnswer,
});

export function oidcRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  const { oidc, clock, secretBox, secureCookies } = dependencies;
  // Of its own: pages of other sites can make a browser begin sign-ins, which must not use up the tries of passwords.
  const throttle = new SignInThrottle(dependencies, 'oidc');

  app.get(
    '/session/ways',
    { config, schema: { ...operation(TAG, 'Ways to sign in'), security: [], response: { 200: signInWays } } },
    async (request) => {
      if (oidc === undefined) return { oidc: null };
      const { name } = oidc.issuer.settings;
      return { oidc: { name, start_url: `${gatewayAddress(request, oidc.publicUrl)}${START_PATH}` } };
    },
  );

  app.get(
    '/session/oidc/start',
    {
      config,
      schema: {
        ...operation(TAG, 'Sign in through the OpenID Connect issuer, with a browser'),
        security: [],
        querystring: signInStart,
        response: elsewhere('To the issuer'),
      },
    },
    async (request, reply) => {
      const { issuer, publicUrl, onFailure } = requireOidc(oidc);
      const { to = '/' } = request.query;
      const base = gatewayAddress(request, publicUrl);
      const session = readSessionCookie(request);
      try {
        const { address, started } = await beginSignIn(issuer, {
          redirectUri: `${base}${CALLBACK_PATH}`,
          to,
          replaces: session === undefined ? null : digest(session),
          at: unixSeconds(clock),
        });
        setStartedCookie(request, reply, { started, secretBox, secureCookies });
        return reply.redirect(address);
      } catch (error) {
        const reason = reasonOf(error);
        onFailure(reason, error);
        return reply.redirect(consoleAddress(base, to, reason));
      }
    },
  );

  app.get(
    '/session/oidc/callback',
    {
      config,
      schema: {
        ...operation(TAG, 'Where the OpenID Connect issuer sends the browser back to'),
        security: [],
        querystring: signInCallback,
        response: elsewhere('To the console, signed in or with the reason why not'),
      },
    },
    async (request, reply) => {
      const provider = requireOidc(oidc);
      const started = readStartedCookie(request, secretBox, unixSeconds(clock));
      const base = started?.redirectUri.slice(0, -CALLBACK_PATH.length) ?? gatewayAddress(request, provider.publicUrl);
      const to = started?.to ?? '/';
      let attempt: Attempt | undefined;
      try {
        requireStarted(started, request.query);
        clearStartedCookie(request, reply, { secureCookies, path: new URL(started.redirectUri).pathname });
        attempt = await throttle.beginUnnamed(addressOf(request, dependencies));
        const person = await identify(provider.issuer, started, new URL(request.url, base).searchParams);
        const { replaces } = started;
        const id = await openSession(dependencies, provider.issuer.settings, { ...person, replaces });
        await attempt.succeed();
        setSessionCookie(request, reply, { id, secureCookies });
        return reply.redirect(consoleAddress(base, to));
      } catch (error) {
        const reason = reasonOf(error);
        provider.onFailure(reason, error);
        await attempt?.refuse(error instanceof Error ? error : new Error(reason), `OpenID Connect: ${reason}`);
        return reply.redirect(consoleAddress(base, to, reason));
      }
    },
  );
}

function requireOidc(oidc: OidcDependencies | undefined): OidcDependencies {
  if (oidc !== undefined) return oidc;
  throw new GatewayError('not_found', { message: 'No OpenID Connect issuer is set; see TOLLGATE_OIDC_ISSUER.' });
}

function reasonOf(error: unknown): SignInFailure {
  if (error instanceof OidcFailure) return error.reason;
  return error instanceof GatewayError && error.status === 429 ? 'throttled' : 'failed';
}
