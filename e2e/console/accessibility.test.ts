// Every page of the console, light and dark: axe finds nothing serious, no script breaks, the policy holds, nothing from outside.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { violationsInBothThemes } from './support/axe.ts';
import { openConsole, openSignedIn, PASSWORD } from './support/console.ts';
import { fillGateway, type Filled } from './support/fill-gateway.ts';
import { pagesOf } from './support/pages.ts';

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

test('axe finds no serious violation on the page of the sign-in', async () => {
  const { page, visit, assertQuiet, close } = await openConsole(browser, gateway);
  await visit('/');
  assert.deepEqual(await violationsInBothThemes(page, 'sign-in'), []);
  assertQuiet();
  await close();
});

test('axe finds no serious violation on any page', async () => {
  const waiting = pagesOf(filled);
  const found: string[] = [];
  const work = async (): Promise<void> => {
    const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
    for (let consolePage = waiting.shift(); consolePage !== undefined; consolePage = waiting.shift()) {
      await visit(consolePage.path);
      await page.waitForLoadState('networkidle');
      await consolePage.prepare?.(page);
      found.push(...(await violationsInBothThemes(page, consolePage.name)));
    }
    assertQuiet();
    await close();
  };
  await Promise.all(Array.from({ length: TABS }, work));
  assert.deepEqual(found, []);
});
