// Connecting a vendor, its keys, and the board of channels, in a real browser (issue 34).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { Channel } from '#contract/channels.ts';
import type { Model } from '#contract/models.ts';
import { startSandbox } from '../../server/src/sandbox/server.ts';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { seriousViolations, violationsInBothThemes } from './support/axe.ts';
import { openSignedIn, PASSWORD } from './support/console.ts';

let gateway: TestGateway;
let browser: Browser;

/** Names that the list of prices knows, so that the sandbox looks like a vendor. */
const MODELS = ['gpt-4o', 'gpt-4o-mini', 'text-embedding-3-small', 'a-model-of-our-own'];

before(async () => {
  const upstream = await startSandbox({ models: MODELS });
  gateway = await startTestGateway({ upstream, settings: { TOLLGATE_OPERATOR_PASSWORD: PASSWORD } });
  browser = await launchBrowser();
});

after(async () => {
  await browser.close();
  await gateway.stop();
  await gateway.upstream.stop();
});

/** Goes there with the key alone. */
async function tabTo(page: Page, role: 'button' | 'textbox' | 'checkbox', name: string, key = 'Tab'): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true }).and(page.locator(':focus'));
  for (let step = 0; step < 80; step++) {
    if ((await wanted.count()) > 0) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${key} does not reach ${role} ${name}`);
}

async function channelNamed(name: string): Promise<Channel | undefined> {
  const { data } = await gateway.operator<{ data: Channel[] }>('GET', '/channels?limit=200');
  return data.find((channel) => channel.name === name);
}

async function typeOver(page: Page, text: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

test('a vendor is connected by the keyboard alone: picked, its models ticked and priced, tested, saved (issue 34)', async () => {
  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
  await visit('/channels/new');
  await page.getByRole('combobox', { name: 'Vendor' }).and(page.locator(':focus')).waitFor();
  assert.deepEqual(await violationsInBothThemes(page, 'vendors'), []);
  await page.keyboard.type('opena');
  await page.getByRole('option', { name: /^OpenAI/, selected: true }).waitFor();
  await page.keyboard.press('Enter');

  const key = page.getByRole('textbox', { name: 'Key' });
  await key.and(page.locator(':focus')).waitFor();
  await tabTo(page, 'textbox', 'Base address', 'Shift+Tab');
  assert.equal(await page.getByRole('textbox', { name: 'Base address' }).inputValue(), 'https://api.openai.com/v1');
  await typeOver(page, gateway.upstream.baseUrl('openai'));
  await tabTo(page, 'textbox', 'Key');
  await page.keyboard.type('sk-upstream-connect-0001');
  await page.keyboard.press('Enter');

  await page.getByRole('textbox', { name: 'Find a model' }).and(page.locator(':focus')).waitFor();
  const models = page.getByRole('table', { name: 'Models of the upstream' });
  for (const [name, ticked] of [
    ['gpt-4o', true],
    ['gpt-4o-mini', true],
    ['a-model-of-our-own', false],
  ] as const)
    assert.equal(await models.getByRole('checkbox', { name, exact: true }).isChecked(), ticked, name);
  await tabTo(page, 'textbox', 'Markup on list prices');
  await typeOver(page, '25');
  const line = models.getByRole('row').filter({ has: page.getByRole('checkbox', { name: 'gpt-4o', exact: true }) });
  await line.getByText('2.50 in, 10.00 out').waitFor();
  await line.getByText('3.125 in, 12.50 out').waitFor();
  await line.getByText('20.0 %').waitFor();
  await tabTo(page, 'checkbox', 'text-embedding-3-small');
  await page.keyboard.press('Space');
  assert.deepEqual(await violationsInBothThemes(page, 'models'), []);
  await tabTo(page, 'button', 'Test and connect');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'openai' }).waitFor();
  await page.getByText('openai is connected').waitFor();
  assert.equal(await page.getByText('sk-upstream-connect-0001').count(), 0, 'the key is never shown again');
  assertQuiet();
  await close();

  const channel = await channelNamed('openai');
  assert.deepEqual([channel?.models['gpt-4o'], channel?.models['text-embedding-3-small']], ['gpt-4o', undefined]);
  const { price } = await gateway.operator<Model>('GET', '/models/gpt-4o');
  assert.ok(price?.unit === 'tokens' && price.input === '3.125' && price.output === '12.5', JSON.stringify(price));
});

test('the focus comes to the models however late the page is drawn (issue 34)', async () => {
  const { page, visit, close } = await openSignedIn(browser, gateway);
  await visit('/channels/new');
  await page.getByRole('combobox', { name: 'Vendor' }).fill('opena');
  await page.getByRole('option', { name: /^OpenAI/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Base address' }).fill(gateway.upstream.baseUrl('openai'));
  await page.getByRole('textbox', { name: 'Key' }).fill('sk-upstream-late-0001');
  // As on a busy machine: the next frame comes before React has drawn what was answered.
  await page.evaluate('window.requestAnimationFrame = (work) => (queueMicrotask(() => work(performance.now())), 1)');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Find a model' }).and(page.locator(':focus')).waitFor({ timeout: 20_000 });
  await close();
});

test('a key that the vendor refuses is shown before anything is saved, and can be saved all the same (issue 34)', async () => {
  const { page, visit, close } = await openSignedIn(browser, gateway);
  await visit('/channels/new');
  await page.getByRole('combobox', { name: 'Vendor' }).fill('groq');
  await page.getByRole('option', { name: /^Groq/ }).click();
  await page.getByRole('textbox', { name: 'Base address' }).fill(gateway.upstream.baseUrl('openai', 'fail-401'));
  await page.getByRole('textbox', { name: 'Key' }).fill('sk-refused');
  await page.getByRole('button', { name: 'Show its models' }).click();
  await page.getByText(/There is no list of its models: .*Check the "keys" of the channel/).waitFor();
  await page.getByRole('textbox', { name: 'Add one that is not listed' }).fill('gpt-4o-refused');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Input of gpt-4o-refused, per million tokens' }).fill('1');
  await page.getByRole('textbox', { name: 'Output of gpt-4o-refused, per million tokens' }).fill('2');
  await page.getByRole('button', { name: 'Test and connect' }).click();
  await page.getByText('It does not work').waitFor();
  assert.equal(await channelNamed('groq'), undefined);
  await page.getByRole('button', { name: 'Connect anyway' }).click();
  await page.getByRole('heading', { level: 1, name: 'groq' }).waitFor();
  const { price } = await gateway.operator<Model>('GET', '/models/gpt-4o-refused');
  assert.deepEqual(price, { unit: 'tokens', input: '1', output: '2' });
  await close();
});

test('single keys are added, tested, disabled and removed, and the channel is cloned (issue 34)', async () => {
  const made = await gateway.operator<Channel>('POST', '/channels', {
    name: 'with keys',
    provider: 'openai',
    base_url: gateway.upstream.baseUrl('openai'),
    keys: ['sk-upstream-keys-number-0001'],
    models: { 'gpt-4o': 'gpt-4o' },
  });
  const { page, visit, close } = await openSignedIn(browser, gateway);
  await visit(`/channels/${made.id}`);
  const card = page.getByRole('region', { name: 'Keys' });
  await card.getByRole('textbox', { name: 'Add a key' }).fill('sk-upstream-keys-number-0002');
  await card.getByRole('button', { name: 'Add' }).click();
  const second = card.getByRole('group', { name: 'Key sk-...0002' });
  await second.getByRole('button', { name: 'Test' }).click();
  await second.getByText('It works').waitFor();
  await second.getByRole('button', { name: 'Disable' }).click();
  await second.getByText('disabled', { exact: true }).waitFor();
  assert.deepEqual(await seriousViolations(page), []);
  const first = card.getByRole('group', { name: 'Key sk-...0001' });
  await first.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await first.waitFor({ state: 'detached' });
  await page.getByText('all keys are disabled').waitFor();
  await second.getByRole('button', { name: 'Enable' }).click();
  await second.getByRole('button', { name: 'Disable' }).waitFor();

  await page.getByRole('button', { name: 'Clone' }).click();
  const dialog = page.getByRole('dialog', { name: 'Clone this channel' });
  await dialog.getByRole('textbox', { name: 'Name of the copy' }).fill('the copy');
  await dialog.getByRole('button', { name: 'Clone' }).click();
  await page.getByRole('heading', { level: 1, name: 'the copy' }).waitFor();
  const copy = await channelNamed('the copy');
  assert.deepEqual([copy?.status, copy?.keys.map(({ hint }) => hint)], ['disabled', ['sk-...0002']]);
  await close();
});

test('two tabs: the later one sees what the first saved; Escape does not throw a form away (contract-2 10)', async () => {
  const { id } = await gateway.operator<Channel>('POST', '/channels', {
    name: 'in two tabs',
    provider: 'openai',
    base_url: gateway.upstream.baseUrl('openai'),
    models: { 'gpt-4o': 'gpt-4o' },
  });
  const { page, visit, close } = await openSignedIn(browser, gateway);
  await visit(`/channels/${id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit channel' });
  await dialog.getByRole('textbox', { name: 'Priority' }).fill('7');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).press('Escape');
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  assert.equal(await dialog.getByRole('textbox', { name: 'Priority' }).inputValue(), '7');
  await gateway.operator('PATCH', `/channels/${id}`, { weight: 3 }); // the other tab
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Somebody else changed this while you had it open.').waitFor();
  const read = () => gateway.operator<Channel>('GET', `/channels/${id}`);
  assert.deepEqual([(await read()).weight, (await read()).priority], [3, 0], 'nothing is lost without a word');
  await dialog.getByRole('button', { name: 'Save mine anyway' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual([(await read()).weight, (await read()).priority], [1, 7]);
  await close();
});

test('the board tests all channels and shows those that fail, with their last day in one call (issue 34)', async () => {
  await gateway.operator('POST', '/channels', {
    name: 'broken',
    provider: 'openai',
    base_url: gateway.upstream.baseUrl('openai', 'fail-500'),
    keys: ['sk-upstream-broken-0001'],
    models: { 'gpt-4o': 'gpt-4o' },
  });
  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await visit('/channels');
  await page.getByRole('link', { name: 'broken', exact: true }).waitFor();
  assert.equal(calls.filter((path) => path.endsWith('/channel-board')).length, 1);
  assert.equal(
    calls.filter((path) => path.includes('/operator/v1/channels')).length,
    0,
    'nothing is asked channel by channel',
  );
  await page.getByRole('button', { name: 'Test all' }).click();
  await page.getByText(/\d of \d+ channels do not work/).waitFor();
  await page
    .getByRole('row', { name: /broken/ })
    .getByText(/failing|trying again|tries in/)
    .waitFor();
  await page.getByRole('img', { name: /^Last 24 hours of broken/ }).waitFor();
  assert.deepEqual(await violationsInBothThemes(page, 'board'), []);
  await page.getByRole('switch', { name: 'Show the keys of each channel' }).check();
  await page
    .getByRole('img', { name: /^Last 24 hours of sk-/ })
    .first()
    .waitFor();
  await visit('/channels?health=failing');
  await page.getByRole('link', { name: 'broken', exact: true }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'openai', exact: true }).count(), 0);
  assertQuiet();
  await close();
});

test('the journey is whole in Chinese, on a phone (issue 34)', async () => {
  const { page, visit, close } = await openSignedIn(browser, gateway, {
    locale: 'zh-CN',
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  });
  await visit('/channels/new');
  await page.getByRole('heading', { level: 1, name: '接入提供商' }).waitFor();
  await page.getByRole('combobox', { name: '厂商' }).fill('openai');
  await page.getByRole('option', { name: /^OpenAI/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: '接口地址' }).fill(gateway.upstream.baseUrl('openai'));
  await page.getByRole('textbox', { name: '密钥', exact: true }).fill('sk-upstream-chinese-0001');
  await page.keyboard.press('Enter');
  await page.getByRole('checkbox', { name: 'gpt-4o', exact: true }).waitFor();
  assert.deepEqual(await seriousViolations(page), []);
  const wide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
  assert.equal(wide, false, 'the page does not scroll sideways');
  await page.getByRole('button', { name: '测试并接入' }).click();
  await page.getByRole('heading', { level: 1, name: 'openai-2' }).waitFor();
  await close();
});
