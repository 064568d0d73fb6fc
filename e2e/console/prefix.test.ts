// The console and the portal under the path prefix of a base address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openConsole, PASSWORD, signIn } from './support/console.ts';
import { invite, MEMBER_PASSWORD } from './support/portal.ts';

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

  const { data } = await gateway.operator<{ data: { id: string }[] }>('GET', '/accounts');
  const link = new URL(await invite(gateway, { id: data[0]?.id ?? '' }, { email: 'ann@example.com' }));
  assert.equal(link.href.split('#')[0], 'http://ai.example.com/gw/portal/');
  await page.goto(`${gateway.address}/gw/portal${link.hash}`);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(MEMBER_PASSWORD);
  await page.getByRole('textbox', { name: 'Password again' }).fill(MEMBER_PASSWORD);
  await page.getByRole('button', { name: 'Accept the invite' }).click();
  await page.getByRole('link', { name: 'Requests' }).click();
  await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
  assert.match(page.url(), /\/gw\/portal\/requests$/);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
  assertQuiet();
});
