// Every page in both themes: axe finds nothing serious, no script breaks, the policy holds, nothing comes from outside.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openConsole, openSignedIn, PASSWORD } from './support/console.ts';
import { fillGateway, type Filled, HOSTILE } from './support/fill-gateway.ts';
import { pagesOf } from './support/pages.ts';

suite('the pages of the console', () => {
  let gateway: TestGateway;
  let browser: Browser;
  let filled: Filled;

  before(async () => {
    gateway = await startTestGateway({ settings: { TOLLGATE_OPERATOR_PASSWORD: PASSWORD } });
    [browser, filled] = await Promise.all([launchBrowser(), fillGateway(gateway)]);
  });

  after(async () => {
    await browser.close();
    await gateway.stop();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`axe finds no serious violation on any page, ${colorScheme}`, { timeout: 240_000 }, async () => {
      const opened = await openSignedIn(browser, gateway, { colorScheme });
      const { page, visit, assertQuiet, close } = opened;
      const found: string[] = [];
      for (const { name, path, prepare } of pagesOf(filled)) {
        await visit(path);
        await page.waitForLoadState('networkidle');
        await prepare?.(page);
        for (const violation of await seriousViolations(page)) found.push(`${name}: ${violation}`);
      }
      assert.deepEqual(found, []);
      assertQuiet();
      await close();
    });
  }

  test('axe finds no serious violation on the sign-in page', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, visit, assertQuiet, close } = await openConsole(browser, gateway, { colorScheme });
      await visit('/');
      assert.deepEqual(await seriousViolations(page), []);
      assertQuiet();
      await close();
    }
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
    for (const path of ['/requests', '/accounts', `/accounts/${named.id}`, '/ledger', '/audit', '/']) {
      await visit(path);
      await page.waitForLoadState('networkidle');
    }
    await visit('/requests');
    await page.getByText(HOSTILE).first().waitFor();
    assert.equal(await page.locator('img[src="x"]').count(), 0);
    assert.equal(dialogs, 0);
    assertQuiet();
    await close();
  });

  test('every page fits a phone: nothing but tables and code scrolls sideways', { timeout: 120_000 }, async () => {
    const { page, visit, close } = await openSignedIn(browser, gateway, { viewport: { width: 375, height: 800 } });
    const wide: string[] = [];
    for (const { name, path } of pagesOf(filled).filter(({ prepare }) => prepare === undefined)) {
      await visit(path);
      await page.waitForLoadState('networkidle');
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (width > 375) wide.push(`${name}: ${width}`);
    }
    assert.deepEqual(wide, []);
    await close();
  });
});

async function seriousViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.slice(0, 200)}`),
    );
}
