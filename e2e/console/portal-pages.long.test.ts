// Every page of the portal (contract-2 10): nothing of the operator's side is shown, axe finds nothing serious in light and dark,
// and no page is wider than a phone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitUntil } from '../support/wait.ts';
import { violationsInBothThemes } from './support/axe.ts';
import { PASSWORD } from './support/console.ts';
import { fillGateway, type Filled } from './support/fill-gateway.ts';
import { join, openPortal, overflowOf, type TestMember } from './support/portal.ts';

/** Names and words of the operator's side that no member may see. */
const HIDDEN = /primary|flaky|sandbox-orion|upstream_id|channel_id|sk-upstream/;
const DESK = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

let gateway: TestGateway;
let browser: Browser;
let filled: Filled;
let owner: TestMember;

before(async () => {
  gateway = await startTestGateway({
    settings: { TOLLGATE_OPERATOR_PASSWORD: PASSWORD, TOLLGATE_PORTAL_COLOR: '#0F766E', TOLLGATE_CURRENCY: 'EUR' },
  });
  browser = await launchBrowser();
  filled = await fillGateway(gateway);
  owner = await join(gateway, filled.account, { email: 'olga@northwind.example', role: 'owner' });
});

after(async () => {
  await browser.close();
  await gateway.stop();
});

function ownPages(): string[] {
  const { request, failed, videos } = filled;
  return [
    '/',
    '/usage',
    '/usage?by=model&range=7',
    '/tokens',
    '/requests',
    `/requests/${request.id}`,
    `/requests/${failed.id}`,
    '/tasks',
    `/tasks/${videos.done.id}`,
    `/tasks/${videos.failed.id}`,
    '/statements',
    '/settings',
  ];
}

test('no page shows a channel, an upstream or a cost, axe finds nothing serious, none is wider than a phone', async () => {
  const { page, visit, assertQuiet, close } = await openPortal(browser, gateway, { member: owner });
  const found: string[] = [];
  for (const path of ownPages()) {
    await visit(path);
    await page.waitForLoadState('networkidle');
    if (HIDDEN.test(await page.locator('body').innerText())) found.push(`${path} shows what is hidden`);
    found.push(...(await violationsInBothThemes(page, path)));
    await page.setViewportSize(PHONE);
    await waitUntil(async () => (await overflowOf(page)) <= 0, `${path} is wider than a phone`);
    await page.setViewportSize(DESK);
  }
  await visit('/tokens');
  await page.getByRole('button', { name: 'Create token' }).first().click();
  await page.getByRole('dialog').waitFor();
  found.push(...(await violationsInBothThemes(page, 'create token')));
  assert.deepEqual(found, []);
  assertQuiet();
  await close();
});

test('axe finds nothing serious on the sign-in of the portal and on an invite, light and dark', async () => {
  const { page, visit, close } = await openPortal(browser, gateway);
  await visit('/');
  assert.deepEqual(await violationsInBothThemes(page, 'sign-in'), []);
  await page.goto(`${gateway.address}/portal/#invite=none`);
  await page.reload();
  await page.getByRole('heading', { name: 'Choose your password' }).waitFor();
  assert.deepEqual(await violationsInBothThemes(page, 'invite'), []);
  await close();
});
