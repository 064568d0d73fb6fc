// What stays of old partitions of the ledger when they are dropped, so that every sum over the ledger is what it was: credits as
// they are, the entries of holds that had not ended by then as they are, and of all others one settle for each token, with
// the sum, the id and the balance of the last of them. Reconcile adds these up like any entry.
import type pg from 'pg';
import { type Carried, LEDGER_CARRIED, readCarried } from '../queries/carried-ledger.ts';
import { createPartition, type LedgerPartition } from './ledger-partitions.ts';

/** The sums of what would stay are not those of what would go: nothing may be dropped. */
export class CarriedWrong extends Error {
  override name = 'CarriedWrong';
}

const TABLE = 'ledger_carrying';
const NOTE = 'carried forward';
const AUTHOR = 'tollgate';
const COLUMNS =
  'id, kind, account_id, token_id, hold_id, request_id, task_id, amount, balance_after, mode, usage_source, note, author, created_at';

/** Ended, and all of it before: what was held was charged or released. */
const ENDED = `select hold_id from old where hold_id is not null group by hold_id
  having count(*) filter (where kind = 'hold') = 1 and count(*) filter (where kind in ('settle', 'release')) > 0
    and coalesce(sum(amount) filter (where kind = 'settle'), 0) + coalesce(sum(amount) filter (where kind = 'release'), 0)
      >= sum(amount) filter (where kind = 'hold')`;

const SUMS = `select account_id, token_id, mode, kind, sum(amount) as amount`;

/** Answers the name of a table with what stays. */
export async function carryForward(
  client: pg.Client,
  partitions: readonly LedgerPartition[],
  end: bigint,
): Promise<string> {
  const old = partitions.map(({ name }) => `select ${COLUMNS} from ${name}`).join(' union all ');
  for (const statement of [
    `set local work_mem = '64MB'`,
    ...createPartition(TABLE),
    `alter table ${TABLE} add constraint ledger_carried_ids check (id is not null and id < ${end})`, // spares a look at each
  ])
    await client.query(statement);
  await client.query(
    `with old as materialized (${old}), ended as materialized (${ENDED}),
      gone as (select * from old where kind = 'settle' and hold_id is null
        union all select * from old where kind <> 'credit' and exists (select from ended where ended.hold_id = old.hold_id))
    insert into ${TABLE} (${COLUMNS})
    select ${COLUMNS} from old where kind = 'credit'
    union all select ${COLUMNS} from old where kind <> 'credit' and hold_id is not null
      and not exists (select from ended where ended.hold_id = old.hold_id)
    union all select max(id), 'settle', account_id, token_id, null, null, null,
      coalesce(sum(amount) filter (where kind = 'settle'), 0)::bigint, (array_agg(balance_after order by id desc))[1], mode,
      null, '${NOTE}', '${AUTHOR}', (array_agg(created_at order by id desc))[1]
    from gone group by account_id, token_id, mode`,
  );
  await compare(client, old);
  await note(client, old);
  return TABLE;
}

/** To the nano-unit, for every account and token. */
async function compare(client: pg.Client, old: string): Promise<void> {
  const moved = `where kind in ('credit', 'settle') and amount <> 0 group by 1, 2, 3, 4`;
  const [before, after] = [`${SUMS} from (${old}) as old ${moved}`, `${SUMS} from ${TABLE} ${moved}`];
  const { rows } = await client.query<{ account_id: string }>(
    `(${before} except ${after}) union all (${after} except ${before}) limit 1`,
  );
  const [wrong] = rows;
  if (wrong !== undefined)
    throw new CarriedWrong(`the sums of account ${wrong.account_id} would change; no entry was dropped`);
}

/** Up to when entries are carried forward, for statements, and how many there were. */
async function note(client: pg.Client, old: string): Promise<void> {
  const { rows } = await client.query<{ entries: bigint; until: number; kept: bigint }>(
    `select count(*) as entries, max(created_at) as until, (select count(*) from ${TABLE}) as kept from (${old}) as old`,
  );
  const { entries = 0n, until = 0, kept = 0n } = rows[0] ?? {};
  const known = await client.query<{ value: string }>(`select value from meta where key = '${LEDGER_CARRIED}'`);
  const { dropped } = readCarried(known.rows[0]?.value);
  const value = JSON.stringify({ until, dropped: dropped + Number(entries - kept) } satisfies Carried);
  await client.query(
    `insert into meta (key, value) values ('${LEDGER_CARRIED}', $1) on conflict (key) do update set value = excluded.value`,
    [value],
  );
}
