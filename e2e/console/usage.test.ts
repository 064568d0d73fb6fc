// The usage page in a real browser: from the most expensive token of the week to its requests, and to a file whose sum is the ledger's.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import type { Account } from '#contract/accounts.ts';
import type { LedgerEntry } from '#contract/ledger.ts';
import type { Token } from '#contract/tokens.ts';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { violationsInBothThemes } from './support/axe.ts';
import { choose, openSignedIn, PASSWORD } from './support/console.ts';

let gateway: TestGateway;
let browser: Browser;

before(async () => {
  gateway = await startTestGateway({
    settings: { TOLLGATE_OPERATOR_PASSWORD: PASSWORD, TOLLGATE_CURRENCY: 'EUR' },
  });
  browser = await launchBrowser();
});

after(async () => {
  await browser.close();
  await gateway.stop();
});

/** Tokens by name, and how often each was used. */
async function spend(names: Record<string, number>): Promise<Token[]> {
  const { operator } = gateway;
  const account = await operator<Account>('POST', '/accounts', { name: 'Northwind' });
  await operator('POST', `/accounts/${account.id}/credits`, { amount: '50' });
  const tokens: Token[] = [];
  for (const [name, times] of Object.entries(names)) {
    const token = await operator<Token & { key: string }>('POST', '/tokens', { account_id: account.id, name });
    tokens.push(token);
    for (let index = 0; index < times; index++) {
      const answer = await fetch(`${gateway.address}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'tiny', messages: [{ role: 'user', content: `number ${index}` }] }),
      });
      assert.equal(answer.status, 200, await answer.text());
    }
  }
  return tokens;
}

const nanoOf = (amount: string): bigint => {
  const [whole = '0', decimals = ''] = amount.split('.');
  return BigInt(whole) * 1_000_000_000n + BigInt(decimals.padEnd(9, '0'));
};

test('the most expensive token of the week, its requests, and a file whose sum is the ledger (issue 34 point 3)', async () => {
  const { operator } = gateway;
  await operator('POST', '/channels', {
    name: 'primary',
    provider: 'openai',
    base_url: gateway.upstream.baseUrl('openai'),
    keys: ['sk-upstream-0001'],
    models: { tiny: 'sandbox-chat' },
  });
  // Odd prices: charges have nine decimals.
  await operator('PUT', '/models/tiny', { price: { unit: 'tokens', input: '1.000001', output: '3.33' } });
  const [, dear] = await spend({ 'seldom used': 1, 'always used': 4, 'hardly used': 2 });

  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway, { timezoneId: 'Asia/Kathmandu' });
  await visit('/');
  await page.getByRole('link', { name: 'Usage' }).click();
  await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
  await page.getByRole('button', { name: '7 days' }).click();
  await choose(page, 'Group by', 'Token');
  const table = page.getByRole('table', { name: 'Usage by name' });
  await table.getByRole('link', { name: 'always used' }).waitFor();
  assert.deepEqual(await table.getByRole('link').allTextContents(), ['always used', 'hardly used', 'seldom used']);
  assert.match(
    await page.getByRole('combobox', { name: 'Time zone' }).inputValue(),
    /^Asia\/Kath?mandu \(UTC\+5:45\)$/,
  );
  await page.getByText('EUR').first().waitFor();
  assert.equal(await page.locator('.bars-column').count(), 7);
  await page.locator('.bars-column[data-state=running] .bars-part').first().waitFor();

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  await page.getByRole('menuitem', { name: 'By Token and day: the bars' }).click();
  const lines = readFileSync(await (await saved).path(), 'utf8')
    .trim()
    .split('\r\n');
  const head = lines[0]?.split(',') ?? [];
  const cells = lines.slice(1).map((line) => line.split(','));
  const column = (name: string): number => head.indexOf(name);
  const sum = cells.reduce((total, cell) => total + nanoOf(cell[column('amount')] ?? ''), 0n);
  const { data: settles } = await operator<{ data: LedgerEntry[] }>('GET', '/ledger?kind=settle&limit=200');
  assert.ok(sum > 0n);
  assert.equal(
    sum,
    settles.reduce((total, { amount }) => total + nanoOf(amount), 0n),
    'the file is the ledger, to the last digit',
  );
  assert.deepEqual(
    cells.map((cell) => `${cell[column('token')]} ${cell[column('requests')]}`).toSorted((a, b) => a.localeCompare(b)),
    ['always used 4', 'hardly used 2', 'seldom used 1'],
  );
  assert.match(cells[0]?.[0] ?? '', /T00:00:00\+05:45$/);

  // Keys alone: the strip under the bars leads to the same requests.
  const today = page.locator('.bars-strip a').last();
  await today.focus();
  await page.locator('.bars-tip').getByText('always used').waitFor();
  await table.getByRole('link', { name: 'always used' }).click();
  await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
  const search = new URL(page.url()).searchParams;
  assert.deepEqual([search.get('token_id'), search.get('mode')], [dear?.id, 'live']);
  await page.getByRole('table', { name: 'Requests' }).waitFor();
  assert.equal(await page.getByRole('table', { name: 'Requests' }).locator('tbody tr').count(), 4);
  await page.goBack();
  await table.getByRole('link', { name: 'always used' }).waitFor();
  await page.getByRole('button', { name: 'Show only always used' }).click();
  await table.getByRole('link', { name: 'hardly used' }).waitFor({ state: 'detached' });
  assert.deepEqual(await violationsInBothThemes(page, 'usage'), []);
  assertQuiet();
  await close();
});
