// A batch of plain calls as one statement, which is its own transaction: one round trip, one commit. The rows of money are
// changed by a difference, on the condition that they leave the margin with which the batch was decided
// (ledger/margins.ts); else nothing is changed and the statement fails with `STALE`. The function is made by each connection for
// itself, so that it always fits this version of the gateway.
import type { LedgerWrites } from '../ledger/decide.ts';
import type { LedgerState } from '../ledger/ledger-state.ts';
import { LARGEST_SUM, type Margin, type Margins } from '../ledger/margins.ts';
import {
  type Column,
  ENTRY_COLUMNS,
  entryValues,
  holdValues,
  type LedgerStatements,
  requestValues,
  type SqlValue,
} from '../ledger/statements.ts';
import { unfold } from './sql-fragments.ts';

/** Ended holds, accounts, tokens, members with a cap, members without, new holds, checkpoints, lines of the ledger, lines of the log. */
const PARAMETERS = 9;

/** SQLSTATE: other rows than expected, or too little left. */
export const STALE = 'TG001';

const ACCOUNTS = [
  ['id', 'text'],
  ['after', 'money'],
  ['change', 'money'],
  ['need', 'money'],
  ['budget', 'money'],
  ['period', 'text'],
  ['start', 'time'],
  ['used_change', 'money'],
  ['ended', 'money'],
] as const satisfies Column[];

const TOKENS = [
  ['id', 'text'],
  ['held_after', 'money'],
  ['used_change', 'money'],
  ['held_change', 'money'],
  ['need', 'money'],
  ['held_most', 'money'],
  ['charged', 'money'],
  ['quota', 'money'],
  ['period', 'text'],
  ['start', 'time'],
  ['period_change', 'money'],
  ['ended', 'money'],
  ['member', 'text'],
] as const satisfies Column[];

const MEMBERS = [
  ['id', 'text'],
  ['cap', 'money'],
  ['period', 'text'],
  ['start', 'time'],
  ['used_change', 'money'],
  ['need', 'money'],
  ['ended', 'money'],
] as const satisfies Column[];

/** Is the allowance in these columns the one that was known, and does it leave the margin? */
const allows = (limit: string, period: string, start: string, used: string): string =>
  `${period} is not distinct from x.period and ${start} = x.start and ${used} >= x.ended and (x.need is null or ${used} + x.need <= ${limit})`;

/** Runs in the order in which every batch locks: holds, accounts, tokens, members. Tokens and members are guarded by their account. */
export function batchFunction({ endHolds, addHolds, setCheckpoints, addRequests }: LedgerStatements): string {
  const refuse = `raise exception 'the rows have changed' using errcode = '${STALE}'`;
  const expect = (rows: string): string => `if rows_found <> jsonb_array_length(${rows}) then ${refuse}; end if`;
  const entries = ENTRY_COLUMNS.map(([name]) => name);
  const moved = entries.map((name) =>
    name === 'balance_after' ? `balance_after + coalesce((shifts ->> account_id)::bigint, 0)` : name,
  );
  return `create function pg_temp.ledger_batch(${Array.from({ length: PARAMETERS }, () => 'jsonb').join(', ')}) returns text[] language plpgsql as $batch$
  declare rows_found bigint; shifts jsonb; held_shifts jsonb;
  begin
    if $1 is not null then
      ${endHolds};
      get diagnostics rows_found = row_count;
      ${expect('$1')};
    end if;
    if $2 is not null then
      if jsonb_array_length($2) > 1 then
        perform 1 from accounts where id in (select value ->> 0 from jsonb_array_elements($2)) order by id for update;
      end if;
      with changed as (
        update accounts set balance = accounts.balance + x.change, budget_used = accounts.budget_used + x.used_change
        from (${unfold(ACCOUNTS, '$2')}) as x
        where accounts.id = x.id and (x.need is null or accounts.balance >= x.need)
          and accounts.budget is not distinct from x.budget
          and (x.budget is null or (${allows('accounts.budget', 'accounts.budget_period', 'accounts.budget_start', 'accounts.budget_used')}))
        returning accounts.id, accounts.balance - x.after as shift)
      select count(*), jsonb_object_agg(id, shift::text) filter (where shift <> 0) into rows_found, shifts from changed;
      ${expect('$2')};
      with changed as (
        update tokens set used = tokens.used + x.used_change, held = tokens.held + x.held_change,
          period_used = tokens.period_used + x.period_change
        from (${unfold(TOKENS, '$3')}) as x
        where tokens.id = x.id and tokens.quota is not distinct from x.quota
          and tokens.member_id is not distinct from x.member
          and tokens.used + tokens.held + coalesce(x.need, 0) + x.charged <= ${LARGEST_SUM}
          and (x.held_most is null or tokens.held <= x.held_most)
          and (x.quota is null or (tokens.quota_period is not distinct from x.period
            and (x.period is not null or x.need is null or tokens.used + tokens.held + x.need <= tokens.quota)
            and (x.period is null or (${allows('tokens.quota', 'tokens.quota_period', 'tokens.period_start', 'tokens.period_used')}))))
        returning tokens.id, tokens.held - x.held_after as shift)
      select count(*), jsonb_object_agg(id, shift::text) filter (where shift <> 0) into rows_found, held_shifts from changed;
      ${expect('$3')};
    end if;
    if $4 is not null then
      update members set cap_used = members.cap_used + x.used_change from (${unfold(MEMBERS, '$4')}) as x
      where members.id = x.id and members.cap = x.cap and ${allows('members.cap', 'members.cap_period', 'members.cap_start', 'members.cap_used')};
      get diagnostics rows_found = row_count;
      ${expect('$4')};
    end if;
    if $5 is not null then
      select count(*) into rows_found from members
      where id in (select value ->> 0 from jsonb_array_elements($5)) and cap is null;
      ${expect('$5')};
    end if;
    if $6 is not null then ${at(addHolds, '$6')}; end if;
    if $7 is not null then ${at(setCheckpoints, '$7')}; end if;
    if $8 is not null then
      insert into ledger (${entries.join(', ')}) select ${moved.join(', ')} from (${unfold(ENTRY_COLUMNS, '$8')}) as entry;
    end if;
    if $9 is not null then ${at(addRequests, '$9')}; end if;
    return case when shifts is not null or held_shifts is not null then array[shifts::text, held_shifts::text] end;
  end $batch$`;
}

export const CALL_BATCH = `select pg_temp.ledger_batch(${Array.from({ length: PARAMETERS }, (_, index) => `$${index + 1}`).join(', ')}) as shifts`;

function at(statement: string, parameter: string): string {
  return statement.replaceAll('$1', parameter);
}

type Money = Pick<LedgerState, 'balances' | 'budgets' | 'tokens' | 'caps'>;

export interface DecidedBatch {
  margins: Margins;
  /** As they were when the margins were taken, and as the batch leaves them. */
  before: Money;
  after: Money;
  writes: LedgerWrites;
}

/** Rows for each parameter; undefined for none. */
export function batchRows({ margins, before, after, writes }: DecidedBatch): (SqlValue[][] | undefined)[] {
  const accounts: SqlValue[][] = [];
  for (const [id, margin] of margins.accounts) {
    const [was, is] = [before.balances.get(id) ?? 0n, after.balances.get(id) ?? 0n];
    const [budgetBefore, budget] = [before.budgets.get(id), after.budgets.get(id)];
    const change = (budget?.used ?? 0n) - (budgetBefore?.used ?? 0n);
    const config = [budget?.limit ?? null, budget?.period ?? null, budget?.start ?? null];
    accounts.push([id, is, is - was, margin.need ?? null, ...config, change, margin.ended]);
  }
  const tokens: SqlValue[][] = [];
  for (const [id, margin] of margins.tokens) {
    const [was, is] = [before.tokens.get(id), after.tokens.get(id)];
    if (was === undefined || is === undefined) throw new Error('a batch was decided without its token');
    const allowance = is.allowance;
    const change = (allowance?.used ?? 0n) - (was.allowance?.used ?? 0n);
    tokens.push([
      id,
      is.held,
      is.used - was.used,
      is.held - was.held,
      margin.need ?? null,
      margin.heldMost ?? null,
      margin.charged,
      allowance?.limit ?? is.quota,
      allowance?.period ?? null,
      allowance?.start ?? null,
      change,
      margin.ended,
      is.memberId ?? null,
    ]);
  }
  const members = [...margins.members];
  const capped = members.filter(([id]) => after.caps.has(id)).map((member) => capRow(member, before, after));
  const uncapped = members.filter(([id]) => !after.caps.has(id)).map(([id]) => [id]);
  return [
    [...writes.endedHolds].map((id) => [id]),
    accounts,
    tokens,
    capped,
    uncapped,
    Array.from(writes.newHolds.values(), holdValues),
    [...writes.checkpoints],
    writes.entries.map(entryValues),
    writes.requests.map(requestValues),
  ].map((rows) => (rows.length === 0 ? undefined : rows));
}

function capRow([id, margin]: [string, Margin], before: Money, after: Money): SqlValue[] {
  const [was, is] = [before.caps.get(id), after.caps.get(id)];
  if (was === undefined || is === undefined) throw new Error('a batch was decided without the cap of its member');
  return [id, is.limit, is.period, is.start, is.used - was.used, margin.need ?? null, margin.ended];
}
