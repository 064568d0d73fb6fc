// Limits, searches and prices, set and found in a real browser.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { choose, openSignedIn, PASSWORD } from './support/console.ts';

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

test('tokens and accounts are found by a part of their name', async () => {
  const { id } = await gateway.operator<{ id: string }>('POST', '/accounts', { name: '100% Sure' });
  for (const name of ['reports service', 'notebook'])
    await gateway.operator('POST', '/tokens', { account_id: id, name });
  const { page, visit, close } = await openSignedIn(browser, gateway);
  await visit('/tokens');
  await page.getByRole('textbox', { name: 'Find' }).fill('REPORTS');
  await page.waitForURL(/q=REPORTS/);
  await page.getByRole('link', { name: 'notebook' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'reports service' }).waitFor();
  await visit('/accounts?q=%25');
  await page.getByRole('link', { name: '100% Sure' }).waitFor();
  assert.equal(await page.getByRole('row').count(), 2, 'a sign stands for itself');
  await close();
});

test('periods, budgets and options are set in the forms and shown', async () => {
  const { page, visit, close } = await openSignedIn(browser, gateway);
  const { id } = await gateway.operator<{ id: string }>('POST', '/accounts', { name: 'Limited' });
  await visit(`/accounts/${id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Budget', exact: true }).fill('20');
  await choose(page, 'Budget resets', 'Every month');
  await page.getByRole('textbox', { name: 'Requests per minute' }).fill('90');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('90 requests a minute').waitFor();
  await page.getByRole('definition').filter({ hasText: 'Every month' }).waitFor();
  const account = await gateway.operator<Record<string, unknown>>('GET', `/accounts/${id}`);
  assert.deepEqual([account['budget'], account['budget_period']], ['20', 'month']);

  const token = await gateway.operator<{ id: string }>('POST', '/tokens', { account_id: id, name: 'weekly' });
  await visit(`/tokens/${token.id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Quota', exact: true }).fill('5');
  await choose(page, 'Quota resets', 'Every week');
  await page.getByRole('switch', { name: 'Fit answers to the balance' }).check();
  await page.getByRole('switch', { name: 'Strict translation' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('fits answers to the balance, strict translation').waitFor();
  const changed = await gateway.operator<Record<string, unknown>>('GET', `/tokens/${token.id}`);
  assert.deepEqual(
    [changed['quota_period'], changed['options']],
    ['week', { fit_balance: true, strict: true, store_bodies: 'off' }],
  );

  const channel = await gateway.operator<{ id: string }>('POST', '/channels', {
    name: 'films',
    provider: 'alpha',
    base_url: gateway.upstream.baseUrl('alpha'),
  });
  await visit(`/channels/${channel.id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('button', { name: 'Time limits, headers and more' }).click();
  await page.getByRole('switch', { name: 'Keep copies of videos' }).check();
  await page.getByRole('textbox', { name: 'Per minute' }).fill('30');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('30 calls a minute').waitFor();
  await page.getByText('Kept', { exact: true }).waitFor();
  await close();
});

test('list prices are imported after a look at what would change, and the past is kept', async () => {
  const { page, visit, close } = await openSignedIn(browser, gateway);
  await visit('/models');
  await page.getByRole('button', { name: 'Import list prices' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Multiply by' }).fill('2');
  const only = dialog
    .getByRole('textbox', { name: 'Only these models' })
    .or(dialog.getByRole('combobox', { name: 'Only these models' }));
  await only.fill('gpt-4o');
  await only.press('Enter');
  await dialog.getByRole('switch', { name: 'Also make models' }).check();
  await dialog.getByRole('button', { name: 'Show what would change' }).click();
  await dialog.getByText('1 new, 0 changed').waitFor();
  const before = await gateway.operator<{ data: { id: string }[] }>('GET', '/models?limit=200');
  assert.ok(!before.data.some(({ id }) => id === 'gpt-4o'), 'nothing has changed yet');
  await dialog.getByRole('button', { name: /^Import 1 price/ }).click();
  await page.getByText(/^1 prices? imported$/).waitFor();
  await page.getByRole('button', { name: 'History of the prices of gpt-4o' }).click();
  await page.getByRole('dialog').getByText('5.00 in, 20.00 out per million tokens').waitFor();

  // A second time: what changes stands in every row, and rows that are not ticked stay as they are.
  await visit('/models');
  await page.getByRole('button', { name: 'Import list prices' }).click();
  await dialog.getByRole('textbox', { name: 'Multiply by' }).fill('3');
  await only.fill('gpt-4o*');
  await only.press('Enter');
  await dialog.getByRole('switch', { name: 'Also make models' }).check();
  await dialog.getByRole('button', { name: 'Show what would change' }).click();
  await dialog.getByText('input: 5.00 → 7.50 (+50 %)').waitFor();
  await dialog.getByRole('checkbox', { name: 'Select all on this page' }).uncheck();
  await dialog.getByRole('checkbox', { name: 'Select gpt-4o', exact: true }).check();
  await dialog.getByRole('button', { name: /^Import 1 price/ }).click();
  await page.getByText(/^1 prices? imported$/).waitFor();
  const after = await gateway.operator<{ data: { id: string }[] }>('GET', '/models?limit=200');
  assert.equal(after.data.filter(({ id }) => id.startsWith('gpt-4o')).length, 1, 'only what was ticked');
  await close();
});
