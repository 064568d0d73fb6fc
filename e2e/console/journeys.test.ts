// What operators do all day, in a real browser.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { pause } from '../support/wait.ts';
import { choose, openConsole, openSignedIn, PASSWORD, signIn } from './support/console.ts';
import { fillGateway, type Filled } from './support/fill-gateway.ts';

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

function ask(key: string, model: string): Promise<Response> {
  return fetch(`${gateway.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }] }),
  });
}

test('a scoped token: one request succeeds, another is refused by its scope', async () => {
  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
  await visit('/tokens');
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create token' });
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByText('This is needed.').first().waitFor();
  await dialog.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('scoped by the console');
  await choose(page, 'Account', 'Northwind Analytics');
  await dialog.getByText('Only these').click();
  await dialog.getByRole('combobox', { name: 'Allowed models' }).fill('sandbox-chat');
  await page.getByRole('option', { name: 'sandbox-chat', exact: true }).click();
  const addresses = dialog.getByRole('combobox', { name: 'Allowed addresses' });
  await addresses.fill('10.0.0.300');
  await addresses.press('Enter');
  await dialog.getByRole('textbox', { name: 'Quota' }).fill('5');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByText('This must be an IPv4 or IPv6 address').waitFor();
  await addresses.press('Backspace');
  await addresses.fill('127.0.0.0/8');
  await addresses.press('Enter');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const secret = page.getByRole('dialog', { name: 'Your new token' });
  const key = await secret.getByRole('textbox', { name: 'Key' }).inputValue();
  assert.match(key, /^sk-[A-Za-z0-9]{40,}$/);
  await secret.getByRole('button', { name: 'I have saved it' }).click();

  assert.equal((await ask(key, 'sandbox-chat')).status, 200);
  assert.equal((await ask(key, 'orion-large')).status, 403);

  await page.getByRole('link', { name: 'scoped by the console' }).click();
  await page.getByText('127.0.0.0/8').waitFor();
  assert.equal(await page.getByText(key).count(), 0, 'the key is never shown again');
  await page.getByRole('link', { name: 'View requests' }).click();
  await page.getByText('model_not_allowed').waitFor();
  await page.getByRole('cell', { name: '200' }).waitFor();
  assertQuiet();
  await close();
});

test('rotating with grace shows a new key once, and disabling refuses both', async () => {
  const { page, visit, close } = await openSignedIn(browser, gateway);
  await visit(`/tokens/${filled.token.id}`);
  await page.getByRole('button', { name: 'Rotate key' }).click();
  await page.getByRole('textbox', { name: 'Grace time in minutes' }).fill('5');
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  const key = await page.getByRole('textbox', { name: 'Key' }).inputValue();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  for (const one of [key, filled.key]) assert.equal((await ask(one, 'orion-large')).status, 200);
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('button', { name: 'Enable' }).waitFor();
  for (const one of [key, filled.key]) assert.equal((await ask(one, 'orion-large')).status, 401);
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.getByRole('button', { name: 'Disable' }).waitFor();
  await close();
});

test('the page of a token has the settings of every client, with the address of this gateway, to be copied', async () => {
  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
  await visit(`/tokens/${filled.token.id}`);
  const card = page.getByRole('region', { name: 'Use it in' });
  await choose(page, 'Client', 'claude-code');
  await card.getByText(`export ANTHROPIC_BASE_URL=${gateway.address}`).waitFor();
  await card.getByRole('button', { name: 'Copy: Settings of Claude Code, 1' }).waitFor();
  await choose(page, 'Client', 'codex');
  await card.getByText(`base_url = "${gateway.address}/v1"`).first().waitFor();
  assertQuiet();
  await close();
});

test('a model that a channel carries gets its price, with a worked example, and is then offered', async () => {
  await gateway.operator('POST', '/channels', {
    name: 'unpriced',
    provider: 'openai',
    base_url: gateway.upstream.baseUrl('openai'),
    keys: ['sk-upstream-0009'],
    models: { 'new-model': 'sandbox-chat' },
  });
  const { page, visit, close } = await openSignedIn(browser, gateway);
  await visit('/models');
  await page.getByRole('button', { name: 'Price new-model' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add model' });
  // Other models cost the same: only when its own row says so has it been saved, however long that takes.
  await page.route('**/operator/v1/models/new-model', async (route) => {
    await pause(700);
    await route.continue();
  });
  await dialog.getByRole('textbox', { name: 'Input', exact: true }).fill('2.5');
  await dialog.getByRole('textbox', { name: 'Output', exact: true }).fill('-1');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('This must be a decimal string').waitFor();
  await dialog.getByRole('textbox', { name: 'Output', exact: true }).fill('10');
  await dialog.getByText('0.0065').waitFor();
  await dialog.getByText('(1200 input x 2.5 + 350 output x 10) / 1000000').waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  const row = page.getByRole('row').filter({ hasText: 'new-model' });
  await row.getByText('2.50 in, 10.00 out per million tokens').waitFor();
  const { key } = await gateway.operator<{ key: string }>('POST', '/tokens', {
    account_id: filled.account.id,
    name: 'x',
  });
  assert.equal((await ask(key, 'new-model')).status, 200);

  await visit('/models?find=alpha-1.1-t2v');
  await page.getByRole('button', { name: 'Edit alpha-1.1-t2v' }).click();
  await choose(page, 'Of kind', '1080P');
  await page.getByText('5 seconds x 0.14 x 1.78 (1080P)').waitFor();
  await page.getByText('1.246', { exact: true }).waitFor();
  await close();
});

test('a failed request is found by its filter, and says why it failed', async () => {
  const { page, visit, close } = await openSignedIn(browser, gateway);
  await visit('/requests');
  await choose(page, 'Outcome', 'failed only');
  // A pause in the middle: the list follows, and the typing goes on where it was.
  await page.getByRole('combobox', { name: 'Model' }).focus();
  await page.keyboard.type('orion-');
  await page.waitForURL(/failed=true.*model=orion-/);
  await page.getByText('No requests', { exact: true }).waitFor();
  await page.keyboard.type('broken');
  await page.waitForURL(/failed=true.*model=orion-broken/);
  // The rows of a filter stay until those of the next are there.
  const passedOver = page.getByText('no_channel_available');
  await passedOver.waitFor();
  await page.getByRole('textbox', { name: 'Status' }).fill('502');
  await page.waitForURL(/status=502/);
  await passedOver.waitFor({ state: 'detached' });
  await page.getByRole('row').nth(1).getByRole('link').click();
  await page.getByText('The upstream failed on its side').first().waitFor();
  await page.getByText('upstream_error').waitFor();
  await page.getByText('No channel answered properly').waitFor();
  await page.getByRole('link', { name: 'flaky' }).first().waitFor();
  await page.goBack();
  assert.equal(await page.getByRole('textbox', { name: 'Status' }).inputValue(), '502', 'the filter is in the address');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.waitForURL((url) => url.search === '');
  assert.equal(await page.getByRole('textbox', { name: 'Status' }).inputValue(), '');
  await close();
});

test('credit is given with a note, and stands in the ledger', async () => {
  const { page, visit, close } = await openSignedIn(browser, gateway);
  await visit(`/accounts/${filled.account.id}`);
  await page.getByRole('button', { name: 'Add credit' }).click();
  await page.getByRole('textbox', { name: 'Amount' }).fill('12.5');
  await page.getByRole('textbox', { name: 'Note' }).fill('invoice 2026-119');
  await page.getByRole('dialog').getByRole('button', { name: 'Add credit' }).click();
  await page.getByText('invoice 2026-119 (admin)').waitFor();
  await close();
});

test('an operator key is made, works, and is removed (contract-2 10)', async () => {
  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
  await visit('/operators');
  await page.getByRole('button', { name: 'Create key' }).click();
  const form = page.getByRole('dialog', { name: 'Create operator key' });
  await form.getByRole('textbox', { name: 'Name' }).fill('reporter');
  await form.getByRole('button', { name: 'Create key' }).click();
  const shown = page.getByRole('dialog', { name: 'Your new operator key' });
  const key = await shown.getByRole('textbox', { name: 'Key' }).inputValue();
  await shown.getByRole('button', { name: 'I have saved it' }).click();
  const read = () => fetch(`${gateway.address}/operator/v1/accounts`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal((await read()).status, 200);
  const keys = page.getByRole('region', { name: 'Operator keys' });
  await keys.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await keys.getByText('No operator keys').waitFor();
  assert.equal((await read()).status, 401);
  assertQuiet();
  await close();
});

test('a viewer sees everything and can change nothing', async () => {
  await gateway.operator('POST', '/operators', { name: 'onlooker', password: PASSWORD, must_change_password: false });
  const { page, visit, close } = await openConsole(browser, gateway);
  await visit('/tokens');
  await signIn(page, 'onlooker');
  const changes = /^(Create\b|Add|Edit|Disable|Enable|Rotate|Remove|Make|Reset|Price|Save|Send test)/;
  const paths = ['/tokens', '/accounts', '/groups', '/channels', '/models', '/flags', '/operators'];
  for (const path of [
    ...paths,
    `/tokens/${filled.token.id}`,
    `/accounts/${filled.account.id}`,
    `/channels/${filled.channel.id}`,
  ]) {
    await visit(path);
    await page.waitForLoadState('networkidle');
    assert.equal(await page.getByRole('button', { name: changes }).count(), 0, path);
  }
  const status = await page.evaluate<number>(
    `(async () => {
      const { csrf_token } = await (await fetch('../operator/v1/session')).json();
      const headers = { 'content-type': 'application/json', 'x-csrf-token': csrf_token };
      return (await fetch('../operator/v1/accounts', { method: 'POST', headers, body: '{"name":"x"}' })).status;
    })()`,
  );
  assert.equal(status, 403);
  await close();
});
