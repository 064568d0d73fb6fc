// Entries of the audit log as the API answers them, with the names of what was changed.
import type { AuditEntry } from '#contract/audit.ts';
import { type AuditRow, endsOf } from '../../store/queries/audit.ts';
import { accountsOfMembers } from '../../store/queries/members.ts';
import type { NamedIds } from '../../store/queries/names.ts';
import type { Reads } from '../../store/store.ts';
import { type Page, withNames } from '../list-page.ts';

/** Whose ids the entries of a resource carry. A session is named by who signed in. */
const OF_RESOURCE: Partial<Record<string, (keyof NamedIds)[]>> = {
  account: ['accounts'],
  alert_sink: ['alert_sinks'],
  channel: ['channels'],
  code: ['codes'],
  member: ['members'],
  operator: ['operators'],
  operator_key: ['operator_keys'],
  session: ['operators', 'members'],
  token: ['tokens'],
  webhook: ['accounts'],
};

export function writeAuditEntry(row: AuditRow): AuditEntry {
  return {
    id: String(row.id),
    operator: row.operator,
    action: row.action,
    resource: row.resource,
    resource_id: row.resource_id,
    account_id: null,
    detail: JSON.parse(row.detail) as AuditEntry['detail'],
    created_at: row.created_at,
  };
}

/** Names and accounts of members; what was removed has the name that it had. */
export async function nameEntries(reads: Reads, page: Page<AuditEntry>): Promise<Page<AuditEntry>> {
  const members = await accountsOfMembers(reads, idsOf(page.data, 'members'));
  const data = page.data.map((row) => ({ ...row, account_id: members.get(row.resource_id) ?? null }));
  const named = await withNames(reads, { ...page, data }, (rows) => {
    const tables = new Set(Object.values(OF_RESOURCE).flatMap((some) => some ?? []));
    const ids: NamedIds = Object.fromEntries([...tables].map((table) => [table, idsOf(rows, table)]));
    return { ...ids, accounts: [...(ids.accounts ?? []), ...members.values()] };
  });
  if (named.names === undefined) return named;
  const gone = data.filter(({ resource, resource_id: id }) => resource in OF_RESOURCE && !(id in (named.names ?? {})));
  return { ...named, names: { ...(await namesOfGone(reads, gone)), ...named.names } };
}

function idsOf(rows: readonly AuditEntry[], table: keyof NamedIds): string[] {
  const of = rows.filter(({ resource, resource_id: id }) => id !== '' && OF_RESOURCE[resource]?.includes(table));
  return [...new Set(of.map((row) => row.resource_id))];
}

async function namesOfGone(reads: Reads, rows: readonly AuditEntry[]): Promise<Record<string, string>> {
  const ids = [...new Set(rows.map((row) => row.resource_id))].filter((id) => id !== '');
  const names: Record<string, string> = {};
  for (const { resource_id: id, detail } of await endsOf(reads, ids)) {
    const { name, email, hint } = JSON.parse(detail) as Record<string, unknown>;
    const known = [name, email, hint].find((word) => typeof word === 'string');
    if (typeof known === 'string') names[id] = known;
  }
  return names;
}
