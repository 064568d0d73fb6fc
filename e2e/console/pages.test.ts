// The pages of the console as a whole: hostile text, settings, keyboards.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitUntil } from '../support/wait.ts';
import { openSignedIn, PASSWORD } from './support/console.ts';
import { fillGateway, type Filled, HOSTILE } from './support/fill-gateway.ts';

let gateway: TestGateway;
let browser: Browser;
let filled: Filled;

before(async () => {
  gateway = await startTestGateway({ settings: { TOLLGATE_OPERATOR_PASSWORD: PASSWORD } });
  browser = await launchBrowser();
  filled = await fillGateway(gateway);
});

after(async () => {
  await browser.close();
  await gateway.stop();
});

test('hostile names are shown as the text they are (A-12)', async () => {
  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
  let dialogs = 0;
  page.on('dialog', (dialog) => {
    dialogs++;
    void dialog.dismiss();
  });
  const named = await gateway.operator<{ id: string }>('POST', '/accounts', { name: HOSTILE.slice(0, 100) });
  const noted = { amount: '1', note: `</td><script>alert(1)</script>${HOSTILE}` };
  await gateway.operator('POST', `/accounts/${named.id}/credits`, noted);
  const [name, model] = [HOSTILE.slice(0, 60), '<svg/onload=alert(1)>']; // models have no spaces
  const token = await gateway.operator<{ id: string }>('POST', '/tokens', { account_id: named.id, name });
  const channel = await gateway.operator<{ id: string }>('POST', '/channels', {
    name,
    provider: 'openai',
    base_url: gateway.upstream.baseUrl('openai'),
    keys: ['sk-upstream-0009'],
    models: { [model]: HOSTILE },
  });
  await gateway.operator('PUT', `/models/${encodeURIComponent(model)}`, { price: { unit: 'request', amount: '1' } });
  const paths = ['/requests', '/accounts', `/accounts/${named.id}`, '/ledger', '/audit', '/', '/playground'];
  for (const path of [...paths, `/tokens/${token.id}`, `/channels/${channel.id}`, '/tokens', '/channels', '/models']) {
    await visit(path);
    if (path === '/requests') await page.getByText(HOSTILE).first().waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await page.locator('img[src="x"]').count(), 0, path);
  }
  await page.getByText(model).first().waitFor();
  // What a provider says of a failed video is text of strangers too. A page with a route has no cache, so it is the last.
  const task = `/tasks/${filled.videos.failed.id}`;
  await page.route(`**/operator/v1${task}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), model: HOSTILE, fail_reason: HOSTILE } });
  });
  await visit(task);
  const shown = page.getByText(HOSTILE);
  await waitUntil(async () => (await shown.count()) === 2, 'it is not both heading and reason');
  assert.equal(await page.locator('img[src="x"]').count(), 0);
  assert.equal(dialogs, 0);
  assertQuiet();
  await close();
});

test('the settings page tells how the gateway runs, and no secret', async () => {
  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
  await visit('/settings');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row('TOLLGATE_OPERATOR_PASSWORD').getByText('set', { exact: true }).waitFor();
  await row('REDIS_URL').getByText('not set').waitFor();
  await row('TOLLGATE_REQUEST_LOG_DAYS').getByText('90').waitFor();
  await page.getByText(`Node ${process.versions.node}`).waitFor();
  await page.getByText(/\d+ MB of memory/).waitFor();
  assert.ok(!(await page.content()).includes(PASSWORD));
  assertQuiet();
  await close();
});

test('kept bodies stand on the page of their request as plain text (A-12)', async () => {
  const { key } = await gateway.operator<{ key: string }>('POST', '/tokens', {
    account_id: filled.account.id,
    name: 'keeps bodies',
    options: { store_bodies: 'all' },
  });
  const response = await fetch(`${gateway.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-chat', messages: [{ role: 'user', content: HOSTILE }] }),
  });
  await response.text();
  const path = `/requests/${response.headers.get('x-request-id')}`;
  await waitUntil(
    async () => (await gateway.operator<{ has_bodies: boolean }>('GET', path)).has_bodies,
    'the bodies were not kept',
  );
  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
  await visit(path);
  const asked = await page.getByRole('region', { name: 'Asked', exact: true }).innerText();
  assert.ok(asked.includes(JSON.stringify(HOSTILE).slice(1, -1)), asked);
  assert.equal(await page.locator('img[src="x"]').count(), 0);
  assertQuiet();
  await close();
});

test('the overview tells percentiles of the times beside their mean', async () => {
  const { page, visit, close } = await openSignedIn(browser, gateway);
  await visit('/?range=24h');
  await page
    .getByText(/^mean of answers; p50 .+, p95 .+, p99 .+$/)
    .first()
    .waitFor();
  await visit('/?range=7d');
  await page
    .getByText(/^mean of answers; last day p50 /)
    .first()
    .waitFor();
  await close();
});

test('the keyboard alone leads past the navigation, into a dialog and out of it', async () => {
  const { page, visit, close } = await openSignedIn(browser, gateway);
  await visit('/tokens');
  await page.keyboard.press('Tab');
  await page.getByRole('link', { name: 'Skip to the content' }).press('Enter');
  assert.equal(await page.evaluate('document.activeElement.id'), 'content');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Create token');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Create token' }).waitFor();
  await page.waitForFunction(`document.activeElement.closest('[role=dialog]') !== null`);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.waitForFunction(`document.activeElement.textContent === 'Create token'`);
  await close();
});
