// All that a store holds, to compare two of them.
import { openSnapshot } from '../../server/src/store/copy/copy-store.ts';
import type { StoreSettings } from '../../server/src/store/open-store.ts';

/** Every row of every table, in an order that both engines have, and without what differs in type only. */
export async function allRows(settings: StoreSettings): Promise<Record<string, string[]>> {
  const snapshot = await openSnapshot(settings);
  const found: Record<string, string[]> = {};
  for (const table of snapshot.tables) {
    const rows: string[] = [];
    const names = table.columns.toSorted();
    for await (const some of snapshot.read(table))
      for (const row of some)
        rows.push(
          names
            .map((name) => row[table.columns.indexOf(name)])
            .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)))
            .join('|'),
        );
    found[table.name] = rows.sort();
  }
  await snapshot.close();
  return found;
}
