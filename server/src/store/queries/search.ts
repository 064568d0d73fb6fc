// What a person looks for by a few letters: the best match of each kind first, or the one thing with this id.
import { type SelectQueryBuilder, sql, type SqlBool } from 'kysely';
import type { Reads } from '../store.ts';
import type { Tables } from '../tables.ts';
import { nameMatches, patternOf } from './name-matches.ts';

export type FoundKind = 'account' | 'token' | 'channel' | 'model' | 'request' | 'task';

export interface Found {
  kind: FoundKind;
  id: string;
  name: string;
  /** What tells it from others of the same name. */
  detail: string;
}

interface Search {
  /** undefined = the newest of the kind. */
  q?: string | undefined;
  kind?: FoundKind | undefined;
  /** Of each kind. */
  limit: number;
}

/** The whole id or its beginning. Lines of batches and responses of realtime sessions have more behind a slash. */
const REQUEST_ID = /^(?:req|batch|msgbatch)_[0-9a-zA-Z]+(?:\/.*)?$/;
const TASK_ID = /^task_[0-9a-zA-Z]+$/;

export async function searchAll(reads: Reads, { q, kind, limit }: Search): Promise<Found[]> {
  const finders: Record<FoundKind, () => Promise<Found[]>> = {
    account: () => findAccounts(reads, q, limit),
    token: () => findTokens(reads, q, limit),
    channel: () => findChannels(reads, q, limit),
    model: () => findModels(reads, q, limit),
    request: () => findRequests(reads, q, limit),
    task: () => findTasks(reads, q, limit),
  };
  const wanted = kind === undefined ? Object.values(finders) : [finders[kind]];
  return (await Promise.all(wanted.map((find) => find()))).flat();
}

/** The whole name, then names that begin so, then the shortest. */
function best(column: 'name' | 'id', q: string | undefined) {
  if (q === undefined) return sql`id desc`;
  const name = sql.ref(column);
  return sql`case when lower(${name}) = lower(${q}) then 0
    when lower(${name}) like lower(${`${patternOf(q)}%`}) escape '\\' then 1 else 2 end, length(${name}), id`;
}

async function findAccounts(reads: Reads, q: string | undefined, limit: number): Promise<Found[]> {
  const rows = await reads
    .selectFrom('accounts')
    .select(['id', 'name', 'group_name', 'status'])
    .where(q === undefined ? sql<boolean>`true` : nameMatches(q))
    .orderBy(best('name', q))
    .limit(limit)
    .execute();
  return rows.map(({ id, name, group_name, status }) => ({
    kind: 'account',
    id,
    name,
    detail: status === 'active' ? group_name : `${group_name}, ${status}`,
  }));
}

async function findTokens(reads: Reads, q: string | undefined, limit: number): Promise<Found[]> {
  const found = reads
    .selectFrom('tokens')
    .select(['id', 'name', 'account_id', 'key_hint', 'status'])
    .where(q === undefined ? sql<boolean>`true` : nameMatches(q))
    .orderBy(best('name', q))
    .limit(limit);
  const rows = await reads
    .selectFrom(found.as('token'))
    .leftJoin('accounts', 'accounts.id', 'token.account_id')
    .select(['token.id', 'token.name', 'token.key_hint', 'token.status', 'accounts.name as account'])
    .execute();
  return rows.map(({ id, name, key_hint, status, account }) => ({
    kind: 'token',
    id,
    name,
    detail: [account, key_hint, status === 'enabled' ? null : status].filter((word) => word !== null).join(', '),
  }));
}

async function findChannels(reads: Reads, q: string | undefined, limit: number): Promise<Found[]> {
  const rows = await reads
    .selectFrom('channels')
    .select(['id', 'name', 'provider', 'status'])
    .where(q === undefined ? sql<boolean>`true` : nameMatches(q))
    .orderBy(best('name', q))
    .limit(limit)
    .execute();
  return rows.map(({ id, name, provider, status }) => ({
    kind: 'channel',
    id,
    name,
    detail: status === 'enabled' ? provider : `${provider}, ${status}`,
  }));
}

async function findModels(reads: Reads, q: string | undefined, limit: number): Promise<Found[]> {
  const rows = await reads
    .selectFrom('models')
    .select(['id', 'owned_by'])
    .where(sql<SqlBool>`lower(id) like lower(${`%${patternOf(q ?? '')}%`}) escape '\\'`)
    .orderBy(best('id', q))
    .limit(limit)
    .execute();
  return rows.map(({ id, owned_by }) => ({ kind: 'model', id, name: id, detail: owned_by }));
}

async function findRequests(reads: Reads, q: string | undefined, limit: number): Promise<Found[]> {
  if (q === undefined || !REQUEST_ID.test(q)) return [];
  const rows = await beginningWith(reads.selectFrom('requests').select(['id', 'model', 'status']), q, limit);
  return rows.map(({ id, model, status }) => ({ kind: 'request', id, name: id, detail: `${status}, ${model ?? '-'}` }));
}

async function findTasks(reads: Reads, q: string | undefined, limit: number): Promise<Found[]> {
  if (q === undefined || !TASK_ID.test(q)) return [];
  const rows = await beginningWith(reads.selectFrom('tasks').select(['id', 'model', 'state']), q, limit);
  return rows.map(({ id, model, state }) => ({ kind: 'task', id, name: id, detail: `${state}, ${model}` }));
}

/** By the beginning of the id, which is the key. */
function beginningWith<Table extends 'requests' | 'tasks', Found>(
  all: SelectQueryBuilder<Tables, Table, Found>,
  q: string,
  limit: number,
): Promise<Found[]> {
  const id = sql.ref<string>('id');
  return all.where(id, '>=', q).where(id, '<', `${q}~`).orderBy(id).limit(limit).execute();
}
