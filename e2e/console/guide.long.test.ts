// The guide at /docs/guide in a real browser: search without the internet, light and dark, a phone, and for everybody.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { seriousViolations } from './support/axe.ts';
import { openConsole } from './support/console.ts';

let gateway: TestGateway;
let browser: Browser;

before(async () => {
  gateway = await startTestGateway();
  browser = await launchBrowser();
});
after(async () => {
  await browser.close();
  await gateway.stop();
});

test('a reader comes from the reference to the guide, searches, and lands at the section', async () => {
  const { page, assertQuiet, close } = await openConsole(browser, gateway);
  await page.goto(`${gateway.address}/docs`);
  const link = page.getByRole('link', { name: 'Guide for operators and developers' });
  await page.goto(new URL((await link.getAttribute('href')) ?? '', page.url()).href);
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Guide');
  await page.keyboard.press('/');
  await page.keyboard.type('idempotency');
  await page.getByRole('link', { name: /^Limits, budgets and safe retries: Idempotency keys/ }).waitFor();
  assert.match((await page.getByRole('status').textContent()) ?? '', /^\d+ found$/);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/guide\/limits\.html#idempotency-keys$/);
  await page.getByLabel('Search the guide').fill('nothing-has-this-word');
  await page.getByText('Nothing found').waitFor();
  assertQuiet();
  await close();
});

test('the guide is accessible, light and dark, on a desk and on a phone', async () => {
  const { page, assertQuiet, close } = await openConsole(browser, gateway);
  for (const path of ['', 'providers.html', 'start.html']) {
    await page.goto(`${gateway.address}/docs/guide/${path}`);
    for (let theme = 0; theme < 2; theme++) {
      assert.deepEqual(await seriousViolations(page), [], path);
      await page.getByRole('button', { name: 'Light or dark' }).click();
    }
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${gateway.address}/docs/guide/settings.html`);
  const pages = page.getByRole('navigation', { name: 'Pages' });
  assert.equal(await pages.isVisible(), false);
  await page.getByRole('button', { name: 'Pages' }).click();
  await pages.getByRole('link', { name: 'Money' }).click();
  await page.getByRole('heading', { level: 1, name: 'Money' }).waitFor();
  const wide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
  assert.equal(wide, false, 'the page is wider than the phone');
  assertQuiet();
  await close();
});
