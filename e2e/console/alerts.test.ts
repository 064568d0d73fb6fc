// Alerts in a real browser: a threshold is changed, and what it calls for is shown. alerts.long.test.ts has the whole journey.
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openSignedIn, PASSWORD } from './support/console.ts';

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

test('a threshold is changed, and a model that retires is warned of', async () => {
  const { page, visit, close } = await openSignedIn(browser, gateway);
  const days = 20;
  const retires_at = Math.floor(Date.now() / 1000) + days * 86_400;
  await gateway.operator('PUT', '/models/old', { price: { unit: 'request', amount: '1' }, retires_at });
  await visit('/alerts');
  await page.getByRole('button', { name: 'Edit the rule Model retires' }).click();
  await page.getByRole('textbox', { name: 'Days before' }).fill('366');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('must be from 0 to 365').waitFor();
  await page.getByRole('textbox', { name: 'Days before' }).fill('30');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: /^old retires on/ }).waitFor();
  await visit('/models?find=old');
  await page.getByText(`retires ${new Date(retires_at * 1000).toISOString().slice(0, 10)}`).waitFor();
  await page.getByRole('button', { name: 'Edit old' }).click();
  await page.getByLabel('Retires on').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await visit('/alerts?state=resolved&rule=model_retires');
  await page.getByRole('link', { name: /^old retires on/ }).waitFor();
  await close();
});
