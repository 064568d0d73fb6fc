// What axe holds against the pages of the console.
import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import type { TestGateway } from '../../support/gateway.ts';
import { openConsole, openSignedIn } from './console.ts';
import type { Filled } from './fill-gateway.ts';
import { pagesOf } from './pages.ts';

export async function assertAccessible(
  { browser, gateway, filled }: { browser: Browser; gateway: TestGateway; filled: Filled },
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const found: string[] = [];
  const outside = await openConsole(browser, gateway, { colorScheme });
  await outside.visit('/');
  for (const violation of await seriousViolations(outside.page)) found.push(`sign-in: ${violation}`);
  outside.assertQuiet();
  await outside.close();

  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway, { colorScheme });
  for (const { name, path, prepare } of pagesOf(filled)) {
    await visit(path);
    await page.waitForLoadState('networkidle');
    await prepare?.(page);
    for (const violation of await seriousViolations(page)) found.push(`${name}: ${violation}`);
  }
  assert.deepEqual(found, []);
  assertQuiet();
  await close();
}

export async function seriousViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.slice(0, 200)}`),
    );
}
