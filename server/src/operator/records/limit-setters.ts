// Who set each limit of a token. A limit belongs to the highest who set it, until somebody lifts it (contract-2 10).
import type { TokenRow } from '../../store/queries/tokens.ts';
import { type LimitedToken, type TokenLimitName, tokenLimitNames, tokenLimits } from './token-limits.ts';

/** Lowest first. The maker is the member who made the token. */
const RANKS = ['maker', 'owner', 'operator'] as const;
export type LimitSetter = (typeof RANKS)[number];

type Setters = Partial<Record<TokenLimitName, LimitSetter>>;

export function setterOf(row: Pick<TokenRow, 'limits_set_by' | 'member_id'>, name: TokenLimitName): LimitSetter {
  return readSetters(row)[name] ?? (row.member_id === null ? 'operator' : 'maker');
}

export function mayLoosen(by: LimitSetter, setter: LimitSetter): boolean {
  return RANKS.indexOf(by) >= RANKS.indexOf(setter);
}

/** The column after a change. A form sends every field: only those that differ count, and that the token is disabled. */
export function settersAfter(
  row: TokenRow,
  { before, after, by, disables }: { before: LimitedToken; after: LimitedToken; by: LimitSetter; disables: boolean },
): string | null {
  const setters: Setters = {};
  for (const name of tokenLimitNames) {
    const limit = tokenLimits[name];
    if (!limit.isSet(after)) continue;
    const isTheirs = limit.isChanged(before, after) || (name === 'status' && disables);
    if (!limit.isSet(before)) setters[name] = by;
    else {
      const known = setterOf(row, name);
      setters[name] = isTheirs && mayLoosen(by, known) ? by : known;
    }
  }
  return Object.keys(setters).length === 0 ? null : JSON.stringify(setters);
}

function readSetters({ limits_set_by: text }: Pick<TokenRow, 'limits_set_by'>): Setters {
  return text === null ? {} : (JSON.parse(text) as Setters);
}
