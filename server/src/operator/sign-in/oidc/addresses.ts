// Addresses on a browser's way through a sign-in: where the gateway is for it, and where in the console or portal it ends.
import type { FastifyRequest } from 'fastify';
import { type MemberSignInFailure, SIGN_IN_FAILURE_PARAMETER } from '#contract/oidc.ts';
import { invalidRequest } from '../../../errors/gateway-error.ts';

/** Below the API's path. */
export const START_PATH = '/session/oidc/start';
export const CALLBACK_PATH = '/session/oidc/callback';

/** The page that people come back to, and its API. */
export interface SignInPage {
  path: '/console' | '/portal';
  api: '/operator/v1' | '/portal/v1';
}

/** Without a last slash. */
export function gatewayAddress(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  const own = URL.parse(`${request.protocol}://${request.host}`);
  if (own === null) throw invalidRequest('The Host header cannot be read.', 'host');
  return own.origin;
}

/** `page`: its address, without a last slash. Always within it, whatever somebody put into the link that began the sign-in. */
export function pageAddress(page: string, to: string, failure?: MemberSignInFailure): string {
  const home = new URL(`${page}/`);
  const requested = new URL(`${page}${to}`);
  const address = requested.href.startsWith(home.href) ? requested : home;
  address.searchParams.delete(SIGN_IN_FAILURE_PARAMETER);
  if (failure !== undefined) address.searchParams.set(SIGN_IN_FAILURE_PARAMETER, failure);
  return address.href;
}
