// Signing in through an OpenID Connect issuer, in a real browser that goes there and comes back.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { CLIENT, startTestIssuer, type TestIssuer } from '../../server/src/operator/testing/oidc-issuer.ts';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { seriousViolations } from './support/axe.ts';
import { openConsole, PASSWORD, signIn } from './support/console.ts';
import { invite, openPortal } from './support/portal.ts';

let issuer: TestIssuer;
let gateway: TestGateway;
let browser: Browser;

before(async () => {
  issuer = await startTestIssuer({
    people: {
      ann: { email: 'ann@example.com', email_verified: true },
      victor: { email: 'victor@example.com', email_verified: true },
      eve: { email: 'eve@evil.example', email_verified: true },
    },
  });
  gateway = await startTestGateway({
    settings: {
      TOLLGATE_OPERATOR_PASSWORD: PASSWORD,
      TOLLGATE_OIDC_ISSUER: issuer.url,
      TOLLGATE_OIDC_CLIENT_ID: CLIENT.id,
      TOLLGATE_OIDC_CLIENT_SECRET: CLIENT.secret,
      TOLLGATE_OIDC_NAME: 'Example ID',
      TOLLGATE_OIDC_ADMINS: 'ann@example.com',
      TOLLGATE_OIDC_VIEWERS: '*@example.com',
    },
  });
  browser = await launchBrowser();
});

after(async () => {
  await browser.close();
  await gateway.stop();
  await issuer.stop();
});

test('an admin signs in by OIDC with the keyboard alone and sees the overview; the password still works', async () => {
  const { page, visit, close } = await openConsole(browser, gateway);
  await visit('/');
  await page.getByRole('link', { name: 'Sign in with Example ID' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'I am ann' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  assert.equal(page.url(), `${gateway.address}/console/`);
  await visit('/settings');
  await page.getByText('ann@example.com').first().waitFor();
  await page.getByText('You came in through your sign-in service').waitFor();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await signIn(page);
  await page.getByRole('button', { name: 'Set up' }).waitFor();
  await close();
});

test('a viewer comes back to the page they wanted, and can change nothing', async () => {
  const { page, visit, close } = await openConsole(browser, gateway);
  await visit('/operators');
  await page.getByRole('link', { name: 'Sign in with Example ID' }).click();
  await page.getByRole('link', { name: 'I am victor' }).click();
  await page.getByRole('heading', { level: 1, name: 'Operators' }).waitFor();
  await page.getByRole('cell', { name: 'victor@example.com' }).waitFor();
  assert.equal(await page.getByRole('button', { name: /Add operator|Make admin|Disable/ }).count(), 0);
  const refused = await page.evaluate(async () => {
    const session = (await (await fetch('/operator/v1/session')).json()) as { csrf_token: string };
    const headers = { 'x-csrf-token': session.csrf_token, 'content-type': 'application/json' };
    return (await fetch('/operator/v1/groups/mine', { method: 'PUT', headers, body: '{}' })).status;
  });
  assert.equal(refused, 403);
  await close();
});

test('a person without an operator account sees why, and what to do; so does one who cancels', async () => {
  const { page, visit, close } = await openConsole(browser, gateway);
  await visit('/tokens');
  await page.getByRole('link', { name: 'Sign in with Example ID' }).click();
  await page.getByRole('link', { name: 'I am eve' }).click();
  await page.getByRole('alert').getByText('ask the operator of this gateway to name your e-mail address').waitFor();
  assert.equal(page.url(), `${gateway.address}/console/tokens`, 'a reload would not say it again');
  assert.deepEqual(await seriousViolations(page), []);
  await page.getByRole('link', { name: 'Sign in with Example ID' }).click();
  await page.getByRole('link', { name: 'I am nobody' }).click();
  await page.getByRole('alert').getByText('The sign-in was cancelled').waitFor();
  await close();
  const reported = gateway.logLines.filter((line) => line.includes('could not be signed in by OIDC'));
  assert.equal(reported.length, 2);
  assert.match(reported[0] ?? '', /eve@evil\.example.* is not among the named people/);
  assert.ok(!gateway.logLines.join('').includes(CLIENT.secret));
});

test('a member accepts the invite and signs in to the portal by OIDC, in English and Chinese; a stranger sees why not (contract-2 10)', async () => {
  const account = await gateway.operator<{ id: string }>('POST', '/accounts', { name: 'Harbour Labs' });
  const link = await invite(gateway, account, { email: 'victor@example.com', role: 'owner' });
  const { page, visit, close } = await openPortal(browser, gateway);
  await page.goto(link);
  await page.getByRole('link', { name: 'Sign in with Example ID' }).click();
  await page.getByRole('link', { name: 'I am victor' }).click();
  await page.getByRole('heading', { level: 1, name: 'Harbour Labs' }).waitFor();
  assert.equal(page.url(), `${gateway.address}/portal/`);
  const statusAt = (path: string) => page.evaluate(async (at) => (await fetch(at)).status, path);
  assert.deepEqual([await statusAt('/portal/v1/account'), await statusAt('/operator/v1/accounts')], [200, 401]);
  await visit('/settings');
  await page.getByText('You have no password here').waitFor();
  assert.deepEqual(await seriousViolations(page), []);
  await close();

  const chinese = await openPortal(browser, gateway, { locale: 'zh-CN' });
  await chinese.visit('/tokens');
  await chinese.page.getByRole('link', { name: '使用 Example ID 登录' }).click();
  await chinese.page.getByRole('link', { name: 'I am eve' }).click();
  await chinese.page.getByRole('alert').getByText('您的邮箱地址不属于任何成员').waitFor();
  assert.equal(chinese.page.url(), `${gateway.address}/portal/tokens`, 'a reload would not say it again');
  assert.deepEqual(await seriousViolations(chinese.page), []);
  await chinese.page.getByRole('link', { name: '使用 Example ID 登录' }).click();
  await chinese.page.getByRole('link', { name: 'I am victor' }).click();
  await chinese.page.getByRole('heading', { level: 1, name: '令牌' }).waitFor();
  await chinese.close();
});
