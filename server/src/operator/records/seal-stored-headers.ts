// Seals the headers of channels that an earlier version stored in the clear. Run at each start, and nothing but one short
// read once all are sealed.
import type { SecretBox } from '../../shared/secret-box.ts';
import { sealOld } from '../../shared/sealed-headers.ts';
import type { Store } from '../../store/store.ts';

export async function sealStoredHeaders(store: Store, secretBox: SecretBox): Promise<void> {
  const rows = await store.reads.selectFrom('channels').select(['id', 'headers']).execute();
  const old = rows.filter(({ headers }) => sealOld(headers, secretBox) !== undefined);
  if (old.length === 0) return;
  await store.rewrite(async (transaction) => {
    for (const { id } of old) {
      const row = await transaction.selectFrom('channels').select('headers').where('id', '=', id).executeTakeFirst();
      const headers = row === undefined ? undefined : sealOld(row.headers, secretBox);
      if (headers === undefined) continue;
      await transaction.updateTable('channels').set({ headers }).where('id', '=', id).execute();
    }
  });
}
