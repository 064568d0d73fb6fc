// Sinks of the export on the page of settings, in a real browser (contract-2 12).
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openSignedIn, PASSWORD } from './support/console.ts';

test('operators see how far each sink is behind and why, without its password (contract-2 12, promise A-03)', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-export-'));
  const gateway = await startTestGateway({
    settings: {
      TOLLGATE_OPERATOR_PASSWORD: PASSWORD,
      TOLLGATE_EXPORT: `file://${folder},clickhouse://u:hunter22@127.0.0.1:9/analytics`,
    },
  });
  const browser = await launchBrowser();
  t.after(async () => {
    await browser.close();
    await gateway.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const { id } = await gateway.operator<{ id: string }>('POST', '/accounts', { name: 'exported' });
  await gateway.operator('POST', `/accounts/${id}/credits`, { amount: '5', note: 'a row of the ledger' });
  const { page, visit, assertQuiet } = await openSignedIn(browser, gateway);
  await visit('/settings');
  const table = page.getByRole('table', { name: 'Sinks of the export' });
  await table.getByText(/ECONNREFUSED/).waitFor();
  await table
    .getByRole('row', { name: `file://${folder}` })
    .getByText('nothing')
    .waitFor();
  const failing = await table.getByRole('row', { name: 'clickhouse://127.0.0.1:9/analytics' }).innerText();
  assert.match(failing, /[1-9]\d* rows?, \d+ s/);
  assert.ok(!(await page.content()).includes('hunter22'));
  assertQuiet();
});
