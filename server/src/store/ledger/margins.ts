// A batch is decided in the same way, whatever other processes have done to the rows meanwhile, if all that its calls can take
// together is there. Such a batch need not lock and read the rows before it is decided: it is decided on what this process saw
// last and applied as a difference, on the condition that the rows still leave that margin.
import { type Allowance, rolled } from './allowance.ts';
import type { LedgerState, TokenMoney } from './ledger-state.ts';
import type { EndOperation, HoldOperation, HoldRow, LedgerOperation } from './operations.ts';

export interface Margin {
  /** What its holds can take in all; undefined when it holds nothing here. */
  need: bigint | undefined;
  /** What the holds that it ends were counted with. */
  ended: bigint;
}

export interface TokenMargin extends Margin {
  /** More must not be held, or larger amounts would be held for its calls (`amountToHold`). */
  heldMost: bigint | undefined;
  /** Charged in all. */
  charged: bigint;
}

export interface Margins {
  accounts: Map<string, Margin>;
  tokens: Map<string, TokenMargin>;
  /** All members whose tokens take part, with or without a cap. */
  members: Map<string, Margin>;
}

/** Amounts above this are left to those who see the rows: no sum of a batch of smaller ones overflows. */
export const LARGEST_SUM = 2n ** 62n;
const LARGEST_PLAIN = 2n ** 50n;
/** So many times what is held now may be held when the batch arrives. */
const HELD_GROWTH = 2n;

/** undefined: somebody has to look at the rows first. */
export function marginsOf(state: LedgerState, operations: readonly LedgerOperation[]): Margins | undefined {
  const margins: Margins = { accounts: new Map(), tokens: new Map(), members: new Map() };
  const made = new Map<string, HoldRow>();
  const times: number[] = [];
  for (const operation of operations) {
    switch (operation.kind) {
      case 'log':
        break;
      case 'checkpoint':
        if (!state.holds.has(operation.holdId) && !made.has(operation.holdId)) return undefined;
        break;
      case 'hold':
        if (!isPlainHold(state, operation) || made.has(operation.hold.id)) return undefined;
        addHold(state, margins, operation);
        made.set(operation.hold.id, operation.hold);
        times.push(operation.hold.created_at);
        break;
      case 'end': {
        const hold = state.holds.get(operation.holdId) ?? made.get(operation.holdId);
        if (hold === undefined || !isPlainEnd(state, operation, hold)) return undefined;
        addEnd(state, margins, operation, hold);
        times.push(operation.at);
        break;
      }
      default:
        return undefined;
    }
  }
  addUnusual(state, margins, operations);
  return isWithin(state, margins, Math.max(...times)) ? margins : undefined;
}

function isPlainHold(state: LedgerState, { hold, most = 0n, task }: HoldOperation): boolean {
  if (task !== undefined || hold.amount < 0n || hold.amount > LARGEST_PLAIN || most > LARGEST_PLAIN) return false;
  if (state.holds.has(hold.id) || state.ended.has(hold.id)) return false;
  return state.balances.has(hold.account_id) && state.tokens.has(hold.token_id);
}

function isPlainEnd(state: LedgerState, { charge, task }: EndOperation, hold: HoldRow): boolean {
  if (task !== undefined || (charge !== null && (charge < 0n || charge > LARGEST_PLAIN))) return false;
  return state.balances.has(hold.account_id) && state.tokens.has(hold.token_id);
}

function addHold(state: LedgerState, margins: Margins, { hold, most = 0n }: HoldOperation): void {
  const asked = most > hold.amount ? most : hold.amount;
  for (const margin of marginsFor(state, margins, hold)) margin.need = (margin.need ?? 0n) + asked;
}

function addEnd(state: LedgerState, margins: Margins, { charge }: EndOperation, hold: HoldRow): void {
  const charged = charge ?? 0n;
  const excess = charged > hold.amount ? charged - hold.amount : 0n;
  for (const margin of marginsFor(state, margins, hold)) {
    margin.ended += hold.amount;
    if (excess > 0n) margin.need = (margin.need ?? 0n) + excess;
  }
  const token = margins.tokens.get(hold.token_id);
  if (token !== undefined) token.charged += charged;
}

/** Of its account, token and member; calls of test tokens count for the token alone. */
function marginsFor(state: LedgerState, margins: Margins, hold: HoldRow): Margin[] {
  const account = entryOf(margins.accounts, hold.account_id, newMargin);
  const token = entryOf(margins.tokens, hold.token_id, newTokenMargin);
  const memberId = state.tokens.get(hold.token_id)?.memberId;
  const member = memberId === undefined ? undefined : entryOf(margins.members, memberId, newMargin);
  if (hold.mode === 'test') return [token];
  return member === undefined ? [account, token] : [account, token, member];
}

/** A call that may come to more than is usual asks that there be enough for all of its kind that are under way. */
function addUnusual(state: LedgerState, margins: Margins, operations: readonly LedgerOperation[]): void {
  const extras = new Map<Margin, bigint>();
  for (const operation of operations) {
    if (operation.kind !== 'hold') continue;
    const { hold, most = 0n } = operation;
    if (hold.amount === 0n || most <= hold.amount) continue;
    const token = margins.tokens.get(hold.token_id);
    if (token === undefined) continue;
    const need = token.need ?? 0n;
    const atMost = HELD_GROWTH * ((state.tokens.get(hold.token_id)?.held ?? 0n) + need);
    token.heldMost = atMost - need;
    const extra = most + (atMost * most) / hold.amount;
    for (const margin of marginsFor(state, margins, hold))
      if (extra > (extras.get(margin) ?? 0n)) extras.set(margin, extra);
  }
  for (const [margin, extra] of extras) margin.need = (margin.need ?? 0n) + extra;
}

/** Do the rows as they were last seen leave that much? If not, those of now hardly do. */
function isWithin(state: LedgerState, { accounts, tokens, members }: Margins, latest: number): boolean {
  for (const [id, margin] of accounts) {
    if (margin.need !== undefined && (state.balances.get(id) ?? 0n) < margin.need) return false;
    if (!allows(state.budgets.get(id), margin, latest)) return false;
  }
  for (const [id, margin] of tokens) {
    const token = state.tokens.get(id);
    if (token === undefined || !tokenAllows(token, margin)) return false;
    if (!allows(token.allowance, margin, latest)) return false;
  }
  for (const [id, margin] of members) if (!allows(state.caps.get(id), margin, latest)) return false;
  return true;
}

function tokenAllows({ quota, used, held }: TokenMoney, { need, charged }: TokenMargin): boolean {
  if (used + held + (need ?? 0n) + charged > LARGEST_SUM) return false;
  return need === undefined || quota === null || used + held + need <= quota;
}

/** A period that ends with this batch is for those who see the rows. */
function allows(allowance: Allowance | undefined, { need, ended }: Margin, latest: number): boolean {
  if (allowance === undefined) return true;
  if (rolled(allowance, latest) !== allowance) return false;
  return allowance.used >= ended && (need === undefined || allowance.used + need <= allowance.limit);
}

const newMargin = (): Margin => ({ need: undefined, ended: 0n });
const newTokenMargin = (): TokenMargin => ({ ...newMargin(), heldMost: undefined, charged: 0n });

function entryOf<T>(map: Map<string, T>, id: string, make: () => T): T {
  const found = map.get(id);
  if (found !== undefined) return found;
  const made = make();
  map.set(id, made);
  return made;
}
