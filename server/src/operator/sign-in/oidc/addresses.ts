// Addresses on a browser's way through a sign-in: where the gateway is for it, and where in the console it ends.
import type { FastifyRequest } from 'fastify';
import { SIGN_IN_FAILURE_PARAMETER, type SignInFailure } from '#contract/oidc.ts';
import { invalidRequest } from '../../../errors/gateway-error.ts';

export const START_PATH = '/operator/v1/session/oidc/start';
export const CALLBACK_PATH = '/operator/v1/session/oidc/callback';

/** Without a last slash. */
export function gatewayAddress(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  const own = URL.parse(`${request.protocol}://${request.host}`);
  if (own === null) throw invalidRequest('The Host header cannot be read.', 'host');
  return own.origin;
}

/** Always within the console, whatever somebody put into the link that began the sign-in. */
export function consoleAddress(base: string, to: string, failure?: SignInFailure): string {
  const home = new URL(`${base}/console/`);
  const requested = new URL(`${base}/console${to}`);
  const address = requested.href.startsWith(home.href) ? requested : home;
  address.searchParams.delete(SIGN_IN_FAILURE_PARAMETER);
  if (failure !== undefined) address.searchParams.set(SIGN_IN_FAILURE_PARAMETER, failure);
  return address.href;
}
