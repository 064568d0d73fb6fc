// Every page of the console, light and dark: axe finds nothing serious, no script breaks, the policy holds, nothing from outside,
// and none is wider than a phone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitUntil } from '../support/wait.ts';
import { violationsInBothThemes } from './support/axe.ts';
import { openConsole, openSignedIn, PASSWORD } from './support/console.ts';
import { fillGateway, type Filled } from './support/fill-gateway.ts';
import { pagesOf } from './support/pages.ts';
import { overflowOf } from './support/portal.ts';

/** While one waits for the gateway, another computes. */
const TABS = 3;

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

/** Nothing but tables and code scrolls sideways. */
async function assertFitsPhone(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 375, height: 800 });
  await waitUntil(async () => (await overflowOf(page)) <= 0, `${name} is wider than a phone`);
  await page.setViewportSize({ width: 1280, height: 900 });
}

test('axe finds no serious violation on the page of the sign-in', async () => {
  const { page, visit, assertQuiet, close } = await openConsole(browser, gateway);
  await visit('/');
  assert.deepEqual(await violationsInBothThemes(page, 'sign-in'), []);
  assertQuiet();
  await close();
});

test('axe finds no serious violation on any page, and every page fits a phone', async () => {
  const waiting = pagesOf(filled);
  const found: string[] = [];
  const work = async (): Promise<void> => {
    const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
    for (let consolePage = waiting.shift(); consolePage !== undefined; consolePage = waiting.shift()) {
      await visit(consolePage.path);
      await page.waitForLoadState('networkidle');
      await consolePage.prepare?.(page);
      found.push(...(await violationsInBothThemes(page, consolePage.name)));
      if (consolePage.prepare === undefined) await assertFitsPhone(page, consolePage.name);
    }
    assertQuiet();
    await close();
  };
  await Promise.all(Array.from({ length: TABS }, work));
  assert.deepEqual(found, []);
});
