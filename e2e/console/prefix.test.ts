// The console under the path prefix of a base address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openConsole, PASSWORD, signIn } from './support/console.ts';

test('the console works under a path prefix, at any depth, without a setting', async (t) => {
  const settings = { TOLLGATE_OPERATOR_PASSWORD: PASSWORD, TOLLGATE_BASE_URL: 'http://ai.example.com/gw' };
  const gateway = await startTestGateway({ settings });
  const browser = await launchBrowser();
  t.after(async () => {
    await browser.close();
    await gateway.stop();
  });
  const { page, assertQuiet } = await openConsole(browser, gateway);
  await page.goto(`${gateway.address}/gw/console`);
  await signIn(page);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByRole('link', { name: 'Accounts' }).click();
  await page.getByRole('link', { name: 'demo' }).click();
  await page.getByRole('heading', { name: 'demo' }).waitFor();
  assert.match(page.url(), /\/gw\/console\/accounts\/acc_/);
  await page.reload();
  await page.getByRole('heading', { name: 'demo' }).waitFor();
  await page.goto(`${gateway.address}/console/settings`);
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  assertQuiet();
});
