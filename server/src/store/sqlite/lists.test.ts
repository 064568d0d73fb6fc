import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { GatewayError } from '../../errors/gateway-error.ts';
import { SqliteLists } from './lists.ts';

test('a process that does not start in time is a busy gateway, not a fault, and the next list starts another', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-lists-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'lists.db');
  new DatabaseSync(file).close();
  const impatient = new SqliteLists(file, 0);
  for (const time of ['first', 'second']) {
    await assert.rejects(
      impatient.statement('select 1', []),
      (error) => error instanceof GatewayError && error.status === 503 && error.details.retryAfter === 5,
      time,
    );
  }
  const lists = new SqliteLists(file);
  t.after(() => lists.close());
  assert.equal((await lists.statement('select 1 as one', [])).rows.length, 1);
});
