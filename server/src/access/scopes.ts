// The scope of a token over what another token of its account has made.
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type ModelScope, scopeRefusal } from '../catalogue/visible-models.ts';

/**
 * For what another token of the account has made: a kept answer is given again, a task is cancelled or removed, only where
 * the token may use the model. Whether the model is on sale today is not asked: what was made stays its account's.
 */
export function checkModelScope(catalogue: Catalogue, scope: ModelScope, modelId: string): void {
  const refusal = scopeRefusal(catalogue, scope, modelId);
  if (refusal !== undefined) throw refusal;
}
