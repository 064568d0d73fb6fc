// For tests of one part: a migrated SQLite store of its own, closed and removed with the test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { fillDataFolder } from './templates.ts';

export async function openSqlite(t: TestContext): Promise<Store> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  await fillDataFolder(dataFolder);
  const store = await openStore({ databaseUrl: undefined, dataFolder });
  t.after(async () => {
    await store.close();
    rmSync(dataFolder, { recursive: true, force: true });
  });
  return store;
}
