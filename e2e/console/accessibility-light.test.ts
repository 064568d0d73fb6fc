// Every page of the console, light: axe finds nothing serious, no script breaks, the policy holds, nothing from outside.
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { assertAccessible } from './support/axe.ts';
import { PASSWORD } from './support/console.ts';
import { fillGateway, type Filled } from './support/fill-gateway.ts';

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

test('axe finds no serious violation on any page, light', { timeout: 300_000 }, async () => {
  await assertAccessible({ browser, gateway, filled }, 'light');
});
