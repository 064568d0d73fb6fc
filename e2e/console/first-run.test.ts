// The first start: sign in with the printed password, choose another, and go from nothing to an answered request.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openConsole, signIn } from './support/console.ts';

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

test('the printed password must be changed, then four steps lead to an answered request', async () => {
  const printed = gateway.running.firstStart?.password ?? '';
  const { page, visit, assertQuiet, close } = await openConsole(browser, gateway);
  await visit('/tokens');
  await signIn(page, 'admin', printed);
  await page.getByRole('heading', { name: 'Choose your own password' }).waitFor();
  await page.getByRole('textbox', { name: 'Current password' }).fill(printed);
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('a better password');
  await page.getByRole('textbox', { name: 'New password again' }).fill('a bitter password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('The two are not the same.').waitFor();
  await page.getByRole('textbox', { name: 'New password again' }).fill('a better password');
  await page.getByRole('button', { name: 'Change password' }).click();

  await page.getByRole('heading', { name: 'First steps' }).waitFor();
  await page.getByRole('button', { name: 'Keep the sandbox and continue' }).click();
  await page.getByRole('combobox', { name: 'Model' }).waitFor();
  assert.equal(await page.getByRole('combobox', { name: 'Model' }).inputValue(), 'sandbox-chat');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Make a token' }).click();
  await page.getByText(/^sk-[A-Za-z0-9]{40,}$/).waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Your gateway answered in').waitFor();
  assert.notEqual(await page.getByTestId('answer').innerText(), '');
  assert.match(await page.getByRole('region', { name: 'This call as curl' }).innerText(), /\/v1\/chat\/completions/);
  await page.getByRole('link', { name: 'See its route and charge' }).click();
  await page.getByRole('heading', { name: 'Route taken' }).waitFor();
  await page.getByRole('link', { name: 'sandbox', exact: true }).waitFor();
  assertQuiet();
  await close();
});

test('a wrong password is refused in words, and the right one after it works', async () => {
  const { page, visit, close } = await openConsole(browser, gateway);
  await visit('/');
  await page.getByLabel('Name').fill('admin');
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The name or the password is wrong.').waitFor();
  await signIn(page, 'admin', 'a better password');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await close();
});

test('signing out everywhere ends the other browser too', async () => {
  const one = await openConsole(browser, gateway);
  const two = await openConsole(browser, gateway);
  for (const { page, visit } of [one, two]) {
    await visit('/settings');
    await signIn(page, 'admin', 'a better password');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
  }
  const session = `${gateway.address}/operator/v1/session?**`;
  await one.page.route(session, (route) => (route.request().method() === 'DELETE' ? route.abort() : route.continue()));
  await one.page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await one.page.getByText('That did not work').waitFor();
  await one.page.getByRole('heading', { name: 'Settings' }).waitFor(); // a session that lives is not signed out
  await one.page.unroute(session);
  await one.page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await one.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await two.page.getByRole('link', { name: 'Tokens' }).click();
  await two.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await one.close();
  await two.close();
});
