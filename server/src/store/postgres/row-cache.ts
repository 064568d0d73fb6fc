// What this process last saw of the rows that its calls change: enough to decide a batch without asking, if the database
// checks the margin with which it was decided (ledger/margins.ts). Never the truth: that is in the tables.
import type { LedgerWrites } from '../ledger/decide.ts';
import { emptyState, type LedgerState } from '../ledger/ledger-state.ts';
import type { Margins } from '../ledger/margins.ts';

/** So many open holds and tokens are known at most; then all are read again. */
const MOST_KNOWN = 10_000;

export class RowCache {
  #state = emptyState();

  get state(): LedgerState {
    const { holds, tokens } = this.#state;
    if (holds.size + tokens.size > MOST_KNOWN) this.forget();
    return this.#state;
  }

  forget(): void {
    this.#state = emptyState();
  }

  /** Copies of the rows that a batch is about to change. */
  copyOf({ accounts, tokens, members }: Margins): Pick<LedgerState, 'balances' | 'budgets' | 'tokens' | 'caps'> {
    return {
      balances: pick(this.#state.balances, accounts),
      budgets: pick(this.#state.budgets, accounts),
      tokens: pick(this.#state.tokens, tokens),
      caps: pick(this.#state.caps, members),
    };
  }

  /** What a batch that saw the rows left behind. */
  learn({ balances, budgets, tokens, caps, holds, ended }: LedgerState): void {
    const known = this.#state;
    for (const [id, balance] of balances) {
      known.balances.set(id, balance);
      put(known.budgets, id, budgets.get(id));
    }
    for (const [id, token] of tokens) {
      known.tokens.set(id, token);
      if (token.memberId !== undefined) put(known.caps, token.memberId, caps.get(token.memberId));
    }
    for (const [id, hold] of holds) if (hold.task_id === null) known.holds.set(id, hold);
    for (const id of ended.keys()) known.holds.delete(id);
  }

  /** A batch that was decided on these rows is committed. The shifts say by how much others had moved them before. */
  committed(shifts: readonly (string | null)[] | null): void {
    const { balances, tokens, ended } = this.#state;
    ended.clear(); // the tables say it now
    for (const [id, shift] of shiftsOf(shifts?.[0])) balances.set(id, (balances.get(id) ?? 0n) + shift);
    for (const [id, shift] of shiftsOf(shifts?.[1])) {
      const token = tokens.get(id);
      if (token !== undefined) tokens.set(id, { ...token, held: token.held + shift });
    }
  }

  /** A batch that was decided on these rows was not committed: all that it saw and made is read again. */
  drop({ accounts, tokens, members }: Margins, { newHolds }: LedgerWrites): void {
    const known = this.#state;
    for (const id of accounts.keys()) known.balances.delete(id);
    for (const id of tokens.keys()) known.tokens.delete(id);
    for (const id of members.keys()) known.caps.delete(id);
    for (const id of newHolds.keys()) known.holds.delete(id);
    known.ended.clear();
  }
}

function pick<T>(map: ReadonlyMap<string, T>, ids: ReadonlyMap<string, unknown>): Map<string, T> {
  const picked = new Map<string, T>();
  for (const id of ids.keys()) {
    const value = map.get(id);
    if (value !== undefined) picked.set(id, value);
  }
  return picked;
}

function put<T>(map: Map<string, T>, id: string, value: T | undefined): void {
  if (value === undefined) map.delete(id);
  else map.set(id, value);
}

/** Amounts travel as text, so that they stay whole. */
function shiftsOf(json: string | null | undefined): [id: string, shift: bigint][] {
  if (json === null || json === undefined) return [];
  return Object.entries(JSON.parse(json) as Record<string, string>).map(([id, shift]) => [id, BigInt(shift)]);
}
