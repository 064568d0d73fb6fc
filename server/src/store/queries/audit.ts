// The audit log: written inside the transaction of the change it tells of.
import type { Selectable } from 'kysely';
import type { Reads } from '../store.ts';
import type { AuditTable } from '../tables.ts';
import { textMatches } from './name-matches.ts';
import { insertInto } from './rows.ts';
import { idsOfTimes } from './times-as-ids.ts';

export type AuditRow = Selectable<AuditTable>;

export interface AuditListing {
  operator?: string | undefined;
  action?: string | undefined;
  resource?: string | undefined;
  resourceId?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
  /** Last id of the page before. */
  after?: bigint | undefined;
  limit: number;
}

/** Newest first. `from` is inside the range, `to` is not. */
export async function listAudit(reads: Reads, listing: AuditListing): Promise<AuditRow[]> {
  let query = reads.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(listing.limit);
  if (listing.operator !== undefined) query = query.where(textMatches('operator', listing.operator));
  if (listing.action !== undefined) query = query.where(textMatches('action', listing.action));
  if (listing.resource !== undefined) query = query.where('resource', '=', listing.resource);
  if (listing.resourceId !== undefined) query = query.where('resource_id', '=', listing.resourceId);
  const { first, last } = await idsOfTimes(reads, 'audit', listing);
  if (listing.from !== undefined) query = query.where('created_at', '>=', listing.from);
  if (listing.to !== undefined) query = query.where('created_at', '<', listing.to);
  if (first !== undefined) query = query.where('id', '>=', first);
  if (last !== undefined) query = query.where('id', '<', last);
  if (listing.after !== undefined) query = query.where('id', '<', listing.after);
  return query.execute();
}

/** Details of when these were made or removed: what is gone had its name then. */
export async function endsOf(
  reads: Reads,
  ids: readonly string[],
): Promise<Pick<AuditRow, 'resource_id' | 'detail'>[]> {
  if (ids.length === 0) return [];
  return reads
    .selectFrom('audit')
    .select(['resource_id', 'detail'])
    .where('resource_id', 'in', ids)
    .where((where) => where.or([where('action', 'like', '%.create'), where('action', 'like', '%.remove')]))
    .orderBy('id')
    .execute();
}

/** Who changed or removed it last, from then on. */
export async function lastChange(
  reads: Reads,
  { resource, id, from }: { resource: string; id: string; from: number },
): Promise<AuditRow | undefined> {
  const verbs = ['change', 'remove', 'set', 'create'].map((verb) => `${resource}.${verb}`);
  return reads
    .selectFrom('audit')
    .selectAll()
    .where('resource', '=', resource)
    .where('resource_id', '=', id)
    .where('action', 'in', verbs)
    .where('created_at', '>=', from)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export const insertAudit = insertInto('audit');
