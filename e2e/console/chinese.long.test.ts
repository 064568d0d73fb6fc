// Every page of the console and of the portal in Simplified Chinese (issue 34 point 10): no English sentence is left on it, axe
// finds nothing serious, and nothing is wider than a phone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import type { Catalogue } from '../../console/src/i18n/catalogue.ts';
import { chinesePortal } from '../../console/src/i18n/zh/chinese-portal.ts';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitUntil } from '../support/wait.ts';
import { seriousViolations } from './support/axe.ts';
import { openSignedIn, PASSWORD } from './support/console.ts';
import { englishLeft } from './support/english-left.ts';
import { fillGateway, type Filled } from './support/fill-gateway.ts';
import { pagesOf } from './support/pages.ts';
import { join, openPortal, overflowOf } from './support/portal.ts';
import { consoleTexts, inChinese } from './support/words.ts';

const CHINESE = { locale: 'zh-CN', timezoneId: 'Asia/Shanghai' };
const CHARTED = ['/', '/usage?by=model&range=7'];
const PHONE = { width: 390, height: 844 };

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

/** Texts that differ from their English. */
function keysOf(texts: Catalogue): ReadonlySet<string> {
  return new Set(Object.entries(texts).flatMap(([key, text]) => (key === text ? [] : [key])));
}

test('no page of the console shows an English sentence, and axe finds nothing serious (issue 34 point 10)', async () => {
  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway, CHINESE);
  const keys = keysOf(consoleTexts);
  const found: string[] = [];
  for (const { name, path, prepare } of pagesOf(filled, inChinese)) {
    await visit(path);
    await page.waitForLoadState('networkidle');
    await prepare?.(page);
    found.push(...(await englishLeft(page, keys)).map((text) => `${name}: ${text}`));
    found.push(...(await seriousViolations(page)).map((words) => `${name}: ${words}`));
  }
  assert.deepEqual(found, []);
  assertQuiet();
  await close();
});

test('no page of the portal shows an English sentence, and none is wider than a phone (issue 34 point 10)', async () => {
  const owner = await join(gateway, filled.account, { email: 'olga@northwind.example', role: 'owner' });
  const { page, visit, assertQuiet, close } = await openPortal(browser, gateway, { member: owner, ...CHINESE });
  const keys = keysOf(chinesePortal.texts);
  const { request, failed, videos } = filled;
  const found: string[] = [];
  for (const path of [
    '/',
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
    '/nowhere',
  ]) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await (path === '/nowhere' ? page.goto(`${gateway.address}/portal${path}`) : visit(path));
    await page.waitForLoadState('networkidle');
    found.push(...(await englishLeft(page, keys)).map((text) => `${path}: ${text}`));
    found.push(...(await seriousViolations(page)).map((words) => `${path}: ${words}`));
    // Charts are named by words too: they must not lose their bars by it.
    if (CHARTED.includes(path)) await page.locator('.recharts-bar-rectangle path').first().waitFor();
    await page.setViewportSize(PHONE);
    // A chart is drawn again a moment after the page has become narrow.
    await waitUntil(async () => (await overflowOf(page)) <= 0, `${path} is wider than a phone`);
  }
  assert.deepEqual(found, []);
  assertQuiet();
  await close();
});
