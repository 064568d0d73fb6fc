// A second factor, set up and used in a real browser.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { totpCode } from '../../server/src/operator/testing/totp-code.ts';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitUntil } from '../support/wait.ts';
import { openConsole, openSignedIn, PASSWORD } from './support/console.ts';

let gateway: TestGateway;
let browser: Browser;

before(async () => {
  gateway = await startTestGateway({ settings: { TOLLGATE_OPERATOR_PASSWORD: PASSWORD } });
  browser = await launchBrowser();
});

after(async () => {
  await browser.close();
  await gateway.stop();
});

test('an operator sets up a second factor, signs in with it and with a recovery code, and gives it up', async () => {
  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
  await visit('/settings');
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('textbox', { name: 'Your password' }).fill('not my password');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('"password" is wrong').waitFor();
  await page.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('img', { name: 'QR code for the authenticator' }).waitFor();
  const secret = (await page.getByRole('region', { name: 'Secret', exact: true }).innerText()).trim();
  /** Early in its half minute, so that it is still that one when it arrives. */
  const code = async (steps = 0): Promise<string> => {
    await waitUntil(() => Date.now() % 30_000 < 20_000, 'time stands still');
    return totpCode(secret, Math.floor(Date.now() / 30_000) + steps);
  };
  await page.getByRole('textbox', { name: 'Code' }).fill('000000');
  await page.getByRole('button', { name: 'Turn it on' }).click();
  await page.getByText('"code" is wrong').waitFor();
  // The step before, so that the current one is left for the sign-in.
  await page.getByRole('textbox', { name: 'Code' }).fill(await code(-1));
  await page.getByRole('button', { name: 'Turn it on' }).click();
  const codes = (await page.getByRole('region', { name: 'Recovery codes' }).innerText()).trim().split('\n');
  assert.equal(codes.length, 10);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByText('10 recovery codes are left').waitFor();
  assertQuiet();
  await close();

  for (const given of [code, async () => codes[4] ?? '']) {
    const again = await openConsole(browser, gateway);
    await again.visit('/settings');
    await again.page.getByLabel('Name').fill('admin');
    await again.page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await again.page.getByRole('button', { name: 'Sign in' }).click();
    await again.page.getByRole('textbox', { name: 'Code' }).fill('123');
    await again.page.getByRole('button', { name: 'Sign in' }).click();
    await again.page.getByText('The code is wrong').waitFor();
    await again.page.getByRole('textbox', { name: 'Code' }).fill(await given());
    await again.page.getByRole('button', { name: 'Sign in' }).click();
    await again.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    again.assertQuiet();
    await again.close();
  }

  const last = await openConsole(browser, gateway);
  await last.visit('/settings');
  await last.page.getByLabel('Name').fill('admin');
  await last.page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await last.page.getByRole('button', { name: 'Sign in' }).click();
  await last.page.getByRole('textbox', { name: 'Code' }).fill(codes[5] ?? '');
  await last.page.getByRole('button', { name: 'Sign in' }).click();
  await last.page.getByText('8 recovery codes are left').waitFor();
  await last.page.getByRole('button', { name: 'Turn off' }).click();
  const dialog = last.page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await dialog.getByRole('textbox', { name: 'Code' }).fill(codes[6] ?? '');
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await last.page.getByRole('button', { name: 'Set up' }).waitFor();
  await last.close();
});
