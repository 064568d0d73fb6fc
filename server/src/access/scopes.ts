// Scope checks that need nothing but the principal, the catalogue and the request.
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type ModelScope, scopeRefusal } from '../catalogue/visible-models.ts';
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

/**
 * For what another token of the account has made: a kept answer is given again, a task is cancelled or removed, only where
 * the token may use the model. Whether the model is on sale today is not asked: what was made stays its account's.
 */
export function checkModelScope(catalogue: Catalogue, scope: ModelScope, modelId: string): void {
  const refusal = scopeRefusal(catalogue, scope, modelId);
  if (refusal !== undefined) throw refusal;
}
