// What differs from an applied configuration file, on the page Settings (contract-2 11).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openSignedIn, PASSWORD } from './support/console.ts';

let gateway: TestGateway;
let browser: Browser;
before(async () => {
  gateway = await startTestGateway({ settings: { TOLLGATE_OPERATOR_PASSWORD: PASSWORD } });
  browser = await launchBrowser();
});
after(async () => {
  await browser.close();
  await gateway.stop();
});

test('a deleted channel and a changed price are shown with who did it; a file that holds says so', async () => {
  const price = { unit: 'tokens', input: '1', output: '2' };
  const channel = { provider: 'openai', base_url: 'https://upstream.example/v1', models: { drifting: 'x' } };
  await gateway.operator('PUT', '/models/drifting', { price });
  const { id } = await gateway.operator<{ id: string }>('POST', '/channels', { name: 'gone', ...channel });
  const content = { version: 1, models: { drifting: { price } }, channels: { gone: channel } };
  await gateway.operator('PUT', '/config-files/tollgate', { content });
  await gateway.operator('PUT', '/config-files/quiet', { content: { version: 1, name: 'quiet' } });
  await gateway.operator('PUT', '/models/drifting', { price: { ...price, output: '3' } });
  await gateway.operator('DELETE', `/channels/${id}`);

  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
  await visit('/settings');
  const table = page.getByRole('table', { name: 'Differs from tollgate' });
  await table.getByRole('row').nth(2).waitFor();
  const rows = await table.getByRole('row').allTextContents();
  assert.equal(rows.length, 3);
  assert.match(rows[1] ?? '', /Model.*drifting.*Changed: price.*operator-key/);
  assert.match(rows[2] ?? '', /Channel.*gone.*Removed.*operator-key/);
  await page.getByText('Everything is as the file says.').waitFor();
  assertQuiet();
  await close();
});
