// Do the books agree? Each question is one statement, so that it sees one moment. Sums are compared by the database and come
// back as text: they may be larger than a number is exact.
import { sql } from 'kysely';
import type { Reads } from '../store.ts';

export interface BookProblem {
  check: BookCheck;
  /** An account, token or hold. */
  id: string;
  /** What is there, and what should be. */
  detail: string;
}

export type BookCheck = 'account' | 'token' | 'hold' | 'overdue';

/** Of each check at most so many are named. */
const MOST = 100;

/** What there is to check, and the sums of all of it: as text, for they may be larger than a number is exact. */
export interface BooksRead {
  accounts: number;
  tokens: number;
  entries: number;
  holds: number;
  /** Of live money, in nano-units. */
  granted: string;
  balance: string;
  held: string;
  spent: string;
}

export async function countBooks(reads: Reads): Promise<BooksRead> {
  const sumOf = (kind: 'credit' | 'settle') =>
    sql`(select cast(coalesce(sum(amount), 0) as text) from ledger where mode = 'live' and kind = ${sql.lit(kind)})`;
  const { rows } = await sql<Record<keyof BooksRead, string>>`
    select (select count(*) from accounts) as accounts, (select count(*) from tokens) as tokens,
      (select count(*) from ledger) as entries, (select count(*) from holds) as holds,
      ${sumOf('credit')} as granted, (select cast(coalesce(sum(balance), 0) as text) from accounts) as balance,
      (select cast(coalesce(sum(amount), 0) as text) from holds where mode = 'live') as held,
      ${sumOf('settle')} as spent`.execute(reads);
  const [row] = rows;
  if (row === undefined) throw new Error('the books were not counted');
  return {
    ...row,
    accounts: Number(row.accounts),
    tokens: Number(row.tokens),
    entries: Number(row.entries),
    holds: Number(row.holds),
  };
}

/**
 * granted = balance + held + spent, for every account. Grouped by an expression: SQLite would else go through the index of
 * accounts and look up every row of the ledger apart, which takes seven times as long.
 */
export async function wrongAccounts(reads: Reads): Promise<BookProblem[]> {
  const { rows } = await sql<{ id: string; balance: string; granted: string; held: string; spent: string }>`
    select a.id, cast(a.balance as text) as balance, cast(coalesce(l.granted, 0) as text) as granted,
      cast(coalesce(h.held, 0) as text) as held, cast(coalesce(l.spent, 0) as text) as spent
    from accounts a
    left join (
      select account_id || '' as account_id, sum(case kind when 'credit' then amount else 0 end) as granted,
        sum(case kind when 'settle' then amount else 0 end) as spent
      from ledger where mode = 'live' and kind in ('credit', 'settle') group by account_id || '') l on l.account_id = a.id
    left join (select account_id, sum(amount) as held from holds where mode = 'live' group by account_id) h
      on h.account_id = a.id
    where a.balance + coalesce(h.held, 0) + coalesce(l.spent, 0) <> coalesce(l.granted, 0)
    limit ${sql.lit(MOST)}`.execute(reads);
  return rows.map(({ id, balance, granted, held, spent }) => ({
    check: 'account',
    id,
    detail: `granted ${granted}, but balance ${balance} + held ${held} + spent ${spent}`,
  }));
}

/** Of every token: used = its settles, held = its open holds. */
export async function wrongTokens(reads: Reads): Promise<BookProblem[]> {
  const { rows } = await sql<{ id: string; used: string; held: string; settled: string; open: string }>`
    select t.id, cast(t.used as text) as used, cast(t.held as text) as held,
      cast(coalesce(l.settled, 0) as text) as settled, cast(coalesce(h.open, 0) as text) as open
    from tokens t
    left join (select token_id, sum(amount) as settled from ledger where kind = 'settle' group by token_id) l
      on l.token_id = t.id
    left join (select token_id, sum(amount) as open from holds group by token_id) h on h.token_id = t.id
    where t.used <> coalesce(l.settled, 0) or t.held <> coalesce(h.open, 0)
    limit ${sql.lit(MOST)}`.execute(reads);
  return rows.map(({ id, used, held, settled, open }) => ({
    check: 'token',
    id,
    detail: `used ${used}, but settled ${settled}; held ${held}, but open holds of ${open}`,
  }));
}

/** Every hold is open or has ended, not both, and not more than once; hold = settle + release. */
export async function wrongHolds(reads: Reads): Promise<BookProblem[]> {
  const { rows } = await sql<{ id: string; held: string; charged: string; released: string; open: number }>`
    with ends as (
      select hold_id, sum(case kind when 'hold' then amount else 0 end) as held,
        sum(case kind when 'settle' then amount else 0 end) as charged,
        sum(case kind when 'release' then amount else 0 end) as released,
        sum(case kind when 'hold' then 1 else 0 end) as holds,
        sum(case kind when 'settle' then 1 else 0 end) as settles,
        sum(case kind when 'release' then 1 else 0 end) as releases
      from ledger where hold_id is not null and kind <> 'credit' group by hold_id)
    select e.hold_id as id, cast(e.held as text) as held, cast(e.charged as text) as charged,
      cast(e.released as text) as released, case when h.id is null then 0 else 1 end as open
    from ends e left join holds h on h.id = e.hold_id
    where e.holds <> 1 or e.settles > 1 or e.releases > 1
      or (h.id is null and e.settles + e.releases = 0) or (h.id is not null and e.settles + e.releases > 0)
      or (e.settles + e.releases > 0 and e.charged <= e.held and e.charged + e.released <> e.held)
      or (e.charged > e.held and e.released <> 0)
    limit ${sql.lit(MOST)}`.execute(reads);
  return rows.map(({ id, held, charged, released, open }) => ({
    check: 'hold',
    id,
    detail: `held ${held}, charged ${charged}, released ${released}, ${open === 1 ? 'still open' : 'not open'}`,
  }));
}

/** Holds that are open past their end: nobody sweeps. */
export async function overdueHolds(reads: Reads, before: number): Promise<BookProblem[]> {
  const rows = await reads
    .selectFrom('holds')
    .select(['id', 'expires_at'])
    .where('expires_at', '<', before)
    .where('id', 'not in', reads.selectFrom('background_calls').select('hold_id'))
    .where('task_id', 'is', null)
    .limit(MOST)
    .execute();
  return rows.map(({ id, expires_at }) => ({
    check: 'overdue',
    id,
    detail: `open, though its time ended at ${expires_at}`,
  }));
}

/** The quick form of the first two: balances against the last line of each account, held sums against open holds. */
export async function wrongSums(reads: Reads): Promise<BookProblem[]> {
  const accounts = await sql<{ id: string }>`
    select a.id from accounts a
    where a.balance <> coalesce(
      (select l.balance_after from ledger l where l.account_id = a.id order by l.id desc limit 1), 0)
    limit ${sql.lit(MOST)}`.execute(reads);
  const tokens = await sql<{ id: string }>`
    select t.id from tokens t
    left join (select token_id, sum(amount) as open from holds group by token_id) h on h.token_id = t.id
    where t.held <> coalesce(h.open, 0) limit ${sql.lit(MOST)}`.execute(reads);
  return [
    ...accounts.rows.map(({ id }) => ({ check: 'account', id, detail: 'not the last line of its ledger' }) as const),
    ...tokens.rows.map(({ id }) => ({ check: 'token', id, detail: 'holds more or less than its open holds' }) as const),
  ];
}
