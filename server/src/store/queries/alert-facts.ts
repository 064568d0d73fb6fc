// What the rules of alerts look at: channels and their keys, recent requests, spending. Each query is bounded, for it is asked
// again and again.
import { sql } from 'kysely';
import { BUDGET } from '../ledger/money-columns.ts';
import type { Reads } from '../store.ts';
import type { ChannelMemoryTable } from '../tables.ts';
import { FAILED_CALLS, HOUR_SECONDS } from './channel-memory.ts';
import { orderedIdsOfTimes } from './times-as-ids.ts';

export interface ChannelFacts {
  id: string;
  name: string;
  memory: ChannelMemoryTable | undefined;
  /** Failed calls of this hour and the one before. */
  failures: number;
  keys: { id: string; hint: string; out: { since: number; reason: string } | undefined }[];
}

/** Of enabled channels. */
export async function channelFacts(
  reads: Reads,
  { now, withSandbox }: { now: number; withSandbox: boolean },
): Promise<ChannelFacts[]> {
  let query = reads.selectFrom('channels').select(['id', 'name']).where('status', '=', 'enabled').orderBy('id');
  if (!withSandbox) query = query.where('sandbox', '=', 0);
  const channels = await query.execute();
  if (channels.length === 0) return [];
  const memories = await reads.selectFrom('channel_memory').selectAll().execute();
  const calls = await reads
    .selectFrom('channel_calls')
    .select(({ fn }) => ['channel_id', fn.sum<number | string>('calls').as('calls')])
    .where('bucket', '=', FAILED_CALLS)
    .where('hour', '>=', now - (now % HOUR_SECONDS) - HOUR_SECONDS)
    .groupBy('channel_id')
    .execute();
  const states = await reads.selectFrom('channel_key_states').selectAll().where('out_until', '>', now).execute();
  const keys = await reads
    .selectFrom('channel_keys')
    .select(['id', 'channel_id', 'hint', 'status'])
    .orderBy('position')
    .execute();
  const keysOf = Map.groupBy(keys, ({ channel_id }) => channel_id);
  // A channel whose keys were all set aside is not in use, as a disabled one.
  const inUse = channels.filter(({ id }) => keysOf.get(id)?.every(({ status }) => status === 'disabled') !== true);
  return inUse.map(({ id, name }) => {
    const outOf = (keyId: string): ChannelFacts['keys'][number]['out'] => {
      const state = states.find(({ channel_id, key_id }) => channel_id === id && key_id === keyId);
      return state && { since: state.out_since ?? now, reason: state.reason ?? '' };
    };
    // Called without a key, which may be rejected too.
    const own = keysOf.get(id)?.filter(({ status }) => status === 'enabled') ?? [{ id: '', hint: '' }];
    return {
      id,
      name,
      memory: memories.find(({ channel_id }) => channel_id === id),
      failures: Number(calls.find(({ channel_id }) => channel_id === id)?.calls ?? 0),
      keys: own.map((key) => ({ id: key.id, hint: key.hint, out: outOf(key.id) })),
    };
  });
}

/** The newest are enough to know a share. */
const MOST_REQUESTS = 5_000;

/** Live requests since then, by model: answered, or ended with a server error. What callers did wrong is left out. */
export async function modelErrors(reads: Reads, from: number) {
  const { first = '' } = orderedIdsOfTimes('req', { from });
  const newest = reads
    .selectFrom('requests')
    .select(['model', 'status'])
    .where('id', '>=', first)
    .where('created_at', '>=', from)
    .where('mode', '=', 'live')
    .where('model', 'is not', null)
    .where((where) => where.or([where('status', '<', 400), where('status', '>=', 500)]))
    .orderBy('id', 'desc')
    .limit(MOST_REQUESTS);
  const rows = await reads
    .selectFrom(newest.as('newest'))
    .select(({ fn }) => [
      'model',
      fn.countAll<number | bigint>().as('requests'),
      sql<number | string>`sum(case when status >= 500 then 1 else 0 end)`.as('errors'),
    ])
    .groupBy('model')
    .execute();
  return rows.map(({ model, requests, errors }) => ({
    model: model ?? '',
    requests: Number(requests),
    errors: Number(errors),
  }));
}

const text = (of: string) => sql<string>`cast(${sql.raw(of)} as text)`;

/** Active accounts whose balance is below an amount, or below so many times what they spent since then. By id. */
export async function lowBalances(
  reads: Reads,
  { since, times, below, limit }: { since: number; times: number; below: bigint; limit: number },
) {
  const spending = reads
    .selectFrom('usage_sums')
    .select(({ fn }) => ['account_id', fn.sum<string>('amount').as('spent')])
    .where('bucket', '>=', since)
    .where('mode', '=', 'live')
    .groupBy('account_id');
  const rows = await reads
    .selectFrom('accounts')
    .leftJoin(spending.as('spending'), 'spending.account_id', 'accounts.id')
    .select(['accounts.id', 'accounts.name', 'accounts.balance', text('coalesce(spent, 0)').as('spent')])
    .where('accounts.status', '=', 'active')
    .where(
      sql<boolean>`(accounts.balance < ${below} or (coalesce(spent, 0) > 0 and accounts.balance < spent * ${sql.lit(times)}))`,
    )
    .orderBy('accounts.id')
    .limit(limit)
    .execute();
  return rows.map(({ id, name, balance, spent }) => ({ id, name, balance, spent: BigInt(spent) }));
}

/** Active accounts that have used at least this share of a budget, whether its period is over or not. By id. */
export async function usedBudgets(reads: Reads, { permille, limit }: { permille: number; limit: number }) {
  const rows = await reads
    .selectFrom('accounts')
    .select(['id', 'name', ...BUDGET])
    .where('status', '=', 'active')
    .where('budget', '>', 0n)
    .where(sql<boolean>`budget_used >= budget / 1000 * ${sql.lit(permille)}`)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, budget: row.budget ?? 0n }));
}

/**
 * Active accounts that spent at least so much in this hour or in the one before: what they spent in the more expensive of the two, and
 * in the days before.
 */
export async function dearHours(
  reads: Reads,
  { hour, days, least, limit }: { hour: number; days: number; least: bigint; limit: number },
) {
  const last = hour - HOUR_SECONDS;
  const hours = reads
    .selectFrom('usage_sums')
    .select(({ fn }) => ['account_id', fn.sum<string>('amount').as('amount')])
    .where('bucket', '>=', last)
    .where('mode', '=', 'live')
    .groupBy(['account_id', sql`floor(bucket / ${sql.lit(HOUR_SECONDS)})`]);
  const rows = await reads
    .selectFrom(hours.as('hours'))
    .innerJoin('accounts', 'accounts.id', 'hours.account_id')
    .select(['accounts.id', 'accounts.name', text('max(amount)').as('recent')])
    .where('accounts.status', '=', 'active')
    .groupBy(['accounts.id', 'accounts.name'])
    .having(sql<boolean>`max(amount) >= ${least}`)
    .having(sql<boolean>`max(amount) > 0`)
    .orderBy('accounts.id')
    .limit(limit)
    .execute();
  if (rows.length === 0) return [];
  const before = await reads
    .selectFrom('usage_sums')
    .select(['account_id', text('sum(amount)').as('amount')])
    .where('bucket', '>=', last - days * 86_400)
    .where('bucket', '<', last)
    .where('mode', '=', 'live')
    .where(
      'account_id',
      'in',
      rows.map(({ id }) => id),
    )
    .groupBy('account_id')
    .execute();
  const sums = new Map(before.map(({ account_id, amount }) => [account_id, BigInt(amount)]));
  return rows.map(({ id, name, recent }) => ({ id, name, recent: BigInt(recent), before: sums.get(id) ?? 0n }));
}

/** Models that are offered and retire before then. */
export async function retiringModels(reads: Reads, { before, limit }: { before: number; limit: number }) {
  const rows = await reads
    .selectFrom('models')
    .select(['id', 'retires_at'])
    .where('enabled', '=', 1)
    .where('retires_at', '<', before)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, retires_at }) => ({ id, retires_at: retires_at ?? 0 }));
}
