// Scope checks that need nothing but the principal and the request.
import { GatewayError } from '../errors/gateway-error.ts';
import type { Principal } from './principal.ts';

/** A request of a page that is not listed; servers send no origin (contract-2 7). */
export function checkOrigin({ origins }: Pick<Principal, 'origins'>, origin: string | undefined): void {
  if (origin === undefined || origins === undefined || origins.includes(origin)) return;
  throw new GatewayError('origin_not_allowed');
}

export function checkAddress(principal: Pick<Principal, 'ipAllow'>, address: string): void {
  if (principal.ipAllow?.matches(address) === false) throw new GatewayError('ip_not_allowed');
}
