// Scope checks that need nothing but the principal and the request.
import { GatewayError } from '../errors/gateway-error.ts';
import type { Principal } from './principal.ts';

export function checkAddress(principal: Pick<Principal, 'ipAllow'>, address: string): void {
  if (principal.ipAllow?.matches(address) === false) throw new GatewayError('ip_not_allowed');
}
