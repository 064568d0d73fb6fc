// Members may make limits that somebody above them set stricter, never looser: these are part of what the operator and the
// owner allow (contract-2 10).
import type { Token } from '#contract/tokens.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { type LimitSetter, mayLoosen, setterOf } from '../operator/records/limit-setters.ts';
import { type TokenLimitName, tokenLimitNames, tokenLimits } from '../operator/records/token-limits.ts';
import type { TokenRow } from '../store/queries/tokens.ts';

export function refuseLoosened(
  row: TokenRow,
  { before, after, by }: { before: Token; after: Token; by: LimitSetter },
): void {
  for (const name of tokenLimitNames) {
    const setter = setterOf(row, name);
    if (mayLoosen(by, setter) || !tokenLimits[name].isLooser(before, after)) continue;
    throw new GatewayError('forbidden', {
      message: name === 'status' ? whoEnables(setter) : whoLoosens(setter, name),
      param: name,
    });
  }
}

function whoEnables(setter: LimitSetter): string {
  return setter === 'operator'
    ? 'An operator disabled this token. Only an operator can enable it.'
    : 'An owner of the account disabled this token. Only an owner or an operator can enable it.';
}

function whoLoosens(setter: LimitSetter, name: TokenLimitName): string {
  return setter === 'operator'
    ? `An operator set "${name}" of this token. You can only make it stricter.`
    : `An owner of the account set "${name}" of this token. You can only make it stricter.`;
}
