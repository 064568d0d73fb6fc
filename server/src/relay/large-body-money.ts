// Whether a large body is worth reading: a token that has nothing left, where nothing is offered for nothing, has none of
// it read.
import type { Principal } from '../access/principal.ts';
import type { Ledger } from '../billing/ledger.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { mayCostNothing } from '../catalogue/free-price.ts';
import { GatewayError } from '../errors/gateway-error.ts';

export interface LargeBodyDependencies {
  catalogue: { readonly current: Catalogue };
  ledger: Pick<Ledger, 'free'>;
}

const free = new WeakMap<Catalogue, boolean>();

/** Throws 402. The hold decides about everybody else, and about everybody while the store is away. */
export async function refuseWithoutMoney(
  { catalogue, ledger }: LargeBodyDependencies,
  principal: Principal,
): Promise<void> {
  if (hasFreeCalls(catalogue.current)) return;
  const left = await ledger.free(principal).catch(() => undefined);
  if (left === undefined || left > 0n) return;
  throw new GatewayError('insufficient_quota', {
    message:
      'Nothing is left of the balance, the quota or the budget, and a body of more than 1 MB is only read for a token that can pay for something. Ask the operator for credit or a higher quota.',
  });
}

/** Some call of some model may cost nothing, or some group pays nothing. */
function hasFreeCalls(catalogue: Catalogue): boolean {
  let known = free.get(catalogue);
  if (known === undefined) {
    known =
      [...catalogue.models.values()].some(({ price }) => price !== undefined && mayCostNothing(price)) ||
      [...catalogue.groups.values()].some(({ multiplierNano }) => multiplierNano === 0n);
    free.set(catalogue, known);
  }
  return known;
}
