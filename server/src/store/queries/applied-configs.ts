// Configuration files that were applied, one row of `meta` each.
import type { Reads, Transaction } from '../store.ts';

export interface AppliedConfigRow {
  name: string;
  /** JSON of the file, without secrets. */
  content: Record<string, unknown>;
  applied_by: string;
  applied_at: number;
  /** Of each thing by kind and name, so that the audit log can be asked about one that is gone. */
  ids?: Record<string, Record<string, string>> | undefined;
  /** What the file made and no longer names, by kind and name. */
  left?: Record<string, Record<string, { account?: string | undefined }>> | undefined;
  /** Where the file was read. */
  path?: string | undefined;
}

const PREFIX = 'config-file:';

export async function listAppliedConfigs(reads: Reads): Promise<AppliedConfigRow[]> {
  const rows = await reads
    .selectFrom('meta')
    .selectAll()
    .where('key', '>=', PREFIX)
    .where('key', '<', `${PREFIX}\u{10FFFD}`)
    .orderBy('key')
    .execute();
  return rows.map(({ value }) => JSON.parse(value) as AppliedConfigRow);
}

export async function putAppliedConfig(transaction: Transaction, row: AppliedConfigRow): Promise<void> {
  const value = JSON.stringify(row);
  await transaction
    .insertInto('meta')
    .values({ key: PREFIX + row.name, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
