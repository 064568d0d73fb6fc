// The way of a browser to the OpenID Connect issuer and back, for the console and for the portal. Whatever goes wrong on it
// ends at the sign-in page, with a word that the page explains.
import type { FastifyContextConfig } from 'fastify';
import { z } from 'zod';
import { type MemberSignInFailure, signInCallback, signInStart, signInWays } from '#contract/oidc.ts';
import { errorAnswer } from '#contract/values/errors.ts';
import { GatewayError } from '../../../errors/gateway-error.ts';
import { unixSeconds } from '../../../shared/clock.ts';
import type { OidcDependencies, OperatorApp, OperatorDependencies } from '../../dependencies.ts';
import { route } from '../../operation.ts';
import { addressOf } from '../address-of.ts';
import { digest, type operatorCookie } from '../session-cookie.ts';
import type { Attempt, SignInThrottle } from '../throttle/sign-in-throttle.ts';
import { CALLBACK_PATH, gatewayAddress, pageAddress, type SignInPage, START_PATH } from './addresses.ts';
import { identify, type Person, requireStarted } from './identify.ts';
import { OidcFailure } from './oidc-failure.ts';
import {
  clearStartedCookie,
  readStartedCookie,
  setStartedCookie,
  STARTED_SECONDS,
  type Who,
} from './started-sign-in.ts';

type Dependencies = Pick<OperatorDependencies, 'clock' | 'secretBox' | 'secureCookies' | 'trustedProxies'> & {
  /** undefined: there is no such way in. */
  oidc: OidcDependencies | undefined;
};

/** What differs between those who sign in. */
export interface Entrance {
  who: Who;
  page: SignInPage;
  tag: string;
  /** Open to everybody. */
  config: FastifyContextConfig;
  /** Of its own: pages of other sites can make a browser begin sign-ins, which must not use up the tries of passwords. */
  throttle: SignInThrottle;
  cookie: typeof operatorCookie;
  /** Answers the session's id, for the cookie. `replaces`: digest of the one that the browser had. */
  openSession(oidc: OidcDependencies, person: Person & { replaces: string | null }): Promise<string>;
}

const elsewhere = (description: string) => ({
  302: z.undefined().meta({ description }),
  400: errorAnswer,
  404: errorAnswer,
});

export function oidcRoutes(app: OperatorApp, dependencies: Dependencies, entrance: Entrance): void {
  const { oidc, clock, secretBox, secureCookies } = dependencies;
  const { who, page, tag, config, throttle } = entrance;

  app.get(
    '/session/ways',
    { config, ...route(tag, 'Ways to sign in', { security: [], response: { 200: signInWays } }) },
    async (request) => {
      if (oidc === undefined) return { oidc: null };
      const { name } = oidc.issuer.settings;
      return { oidc: { name, start_url: `${gatewayAddress(request, oidc.publicUrl)}${page.api}${START_PATH}` } };
    },
  );

  app.get(
    START_PATH,
    {
      config,
      ...route(tag, 'Sign in through the OpenID Connect issuer, with a browser', {
        security: [],
        querystring: signInStart,
        response: elsewhere('To the issuer'),
      }),
    },
    async (request, reply) => {
      const { issuer, publicUrl, onFailure } = requireOidc(oidc);
      const { to = '/' } = request.query;
      const base = gatewayAddress(request, publicUrl);
      const session = entrance.cookie.read(request);
      try {
        const redirectUri = `${base}${page.api}${CALLBACK_PATH}`;
        const expiresAt = unixSeconds(clock) + STARTED_SECONDS;
        const { address, ...flow } = await issuer.start(redirectUri);
        const replaces = session === undefined ? null : digest(session);
        const started = { ...flow, redirectUri, to, replaces, expiresAt };
        setStartedCookie(request, reply, { started, secretBox, secureCookies, who });
        return reply.redirect(address);
      } catch (error) {
        const reason = reasonOf(error);
        onFailure(who, reason, error);
        return reply.redirect(pageAddress(`${base}${page.path}`, to, reason));
      }
    },
  );

  app.get(
    CALLBACK_PATH,
    {
      config,
      ...route(tag, 'Where the OpenID Connect issuer sends the browser back to', {
        security: [],
        querystring: signInCallback,
        response: elsewhere(`To ${page.path}, signed in or with the reason why not`),
      }),
    },
    async (request, reply) => {
      const provider = requireOidc(oidc);
      const started = readStartedCookie(request, { secretBox, who, at: unixSeconds(clock) });
      const base =
        started?.redirectUri.slice(0, -(page.api + CALLBACK_PATH).length) ??
        gatewayAddress(request, provider.publicUrl);
      const to = started?.to ?? '/';
      let attempt: Attempt | undefined;
      try {
        requireStarted(started, request.query);
        clearStartedCookie(request, reply, { secureCookies, path: new URL(started.redirectUri).pathname });
        attempt = await throttle.beginUnnamed(addressOf(request, dependencies));
        const person = await identify(provider.issuer, started, new URL(request.url, base).searchParams);
        const id = await entrance.openSession(provider, { ...person, replaces: started.replaces });
        await attempt.succeed();
        entrance.cookie.set(request, reply, { id, secureCookies });
        return reply.redirect(pageAddress(`${base}${page.path}`, to));
      } catch (error) {
        const reason = reasonOf(error);
        provider.onFailure(who, reason, error);
        await attempt?.refuse(error instanceof Error ? error : new Error(reason), `OpenID Connect: ${reason}`);
        return reply.redirect(pageAddress(`${base}${page.path}`, to, reason));
      }
    },
  );
}

function requireOidc(oidc: OidcDependencies | undefined): OidcDependencies {
  if (oidc !== undefined) return oidc;
  throw new GatewayError('not_found', { message: 'No OpenID Connect issuer is set; see TOLLGATE_OIDC_ISSUER.' });
}

function reasonOf(error: unknown): MemberSignInFailure {
  if (error instanceof OidcFailure) return error.reason;
  return error instanceof GatewayError && error.status === 429 ? 'throttled' : 'failed';
}
