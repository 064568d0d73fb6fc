// What operators do, by keys alone, in English on light and in Chinese on dark pages (issue 34): a vendor connected, a failure found and
// replayed, a refund, the most expensive token to its requests and to a file that is the ledger, two tabs, a restart under an open page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import type { Account } from '#contract/accounts.ts';
import type { Channel } from '#contract/channels.ts';
import type { LedgerEntry } from '#contract/ledger.ts';
import type { Token } from '#contract/tokens.ts';
import { startGateway } from '../../server/src/gateway.ts';
import { startSandbox } from '../../server/src/sandbox/server.ts';
import { readConfig } from '../../server/src/start/config.ts';
import { makeLogger } from '../../server/src/telemetry/logger.ts';
import { launchBrowser } from '../support/browser.ts';
import { OPERATOR_KEY, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { PASSWORD } from './support/console.ts';
import { operatorHand, PEOPLE, strangerHand } from './support/keys.ts';

/** Names that the list of prices knows. */
const MODELS = ['gpt-4o', 'gpt-4o-mini'];

let gateway: TestGateway;
let browser: Browser;

before(async () => {
  const upstream = await startSandbox({ models: MODELS });
  gateway = await startTestGateway({ upstream, settings: { TOLLGATE_OPERATOR_PASSWORD: PASSWORD } });
  browser = await launchBrowser();
  const channel = (name: string, behave: string | undefined, models: object) =>
    gateway.operator<Channel>('POST', '/channels', {
      name,
      provider: 'openai',
      base_url: gateway.upstream.baseUrl('openai', behave),
      keys: [`sk-upstream-of-${name}`],
      models,
    });
  await channel('good', undefined, { tiny: 'gpt-4o' });
  await channel('broken', 'fail-500', { odd: 'gpt-4o' });
  // Odd prices: charges have nine decimals.
  for (const id of ['tiny', 'odd'])
    await gateway.operator('PUT', `/models/${id}`, {
      price: { unit: 'tokens', input: '100.000001', output: '300.33' },
    });
});

after(async () => {
  await browser.close();
  await gateway.stop();
  await gateway.upstream.stop();
});

/** An account with money, and a token of it. */
async function customer(name: string): Promise<{ account: Account; token: Token & { key: string } }> {
  const account = await gateway.operator<Account>('POST', '/accounts', { name });
  await gateway.operator('POST', `/accounts/${account.id}/credits`, { amount: '50' });
  return { account, token: await tokenOf(account, `${name}-token`) };
}

function tokenOf(account: Account, name: string): Promise<Token & { key: string }> {
  const options = { store_bodies: 'all' };
  return gateway.operator('POST', '/tokens', { account_id: account.id, name, options });
}

async function ask({ key }: { key: string }, model: string): Promise<{ status: number; id: string }> {
  const answer = await fetch(`${gateway.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: '7 + 5 = ?' }] }),
  });
  await answer.arrayBuffer();
  return { status: answer.status, id: answer.headers.get('x-request-id') ?? '' };
}

const nanoOf = (amount: string): bigint => {
  const [whole = '0', decimals = ''] = amount.split('.');
  return BigInt(whole) * 1_000_000_000n + BigInt(decimals.padEnd(9, '0'));
};

for (const person of PEOPLE) {
  const { language } = person;

  test(`${person.name}: signs in, and connects a vendor (issue 34)`, async () => {
    const hand = await strangerHand(browser, gateway, person);
    const { page, say } = hand;
    await hand.visit('/channels');
    await hand.heading(say('Sign in'));
    await hand.write(say('Name'), 'admin');
    await hand.write(say('Password'), PASSWORD);
    await hand.press('Enter');
    await hand.heading(say('Channels'));
    await hand.enter('link', say('Connect a provider'));
    await hand.go('combobox', say('Vendor'));
    await page.keyboard.type('opena');
    await page.getByRole('option', { name: /^OpenAI/, selected: true }).waitFor();
    await hand.press('Enter');
    await hand.write(say('Base address'), gateway.upstream.baseUrl('openai'), { key: 'Shift+Tab' });
    await hand.write(say('Key'), 'sk-upstream-connect-0001');
    await hand.press('Enter');
    await hand.go('textbox', say('Find a model'));
    await hand.write(say('Markup on list prices'), '25');
    await page.getByRole('checkbox', { name: 'gpt-4o', exact: true, checked: true }).waitFor();
    await hand.look();
    await hand.enter('button', say('Test and connect'));
    const name = language === 'en' ? 'openai' : 'openai-2';
    await hand.heading(name);
    await hand.close();
  });

  test(`${person.name}: finds a failure, understands it and replays it (issue 34)`, async () => {
    const { token } = await customer(`failing-${language}`);
    assert.equal((await ask(token, 'odd')).status, 502);
    const hand = await operatorHand(browser, gateway, person);
    const { page, say } = hand;
    await hand.visit('/');
    await hand.find(say('Requests'), new RegExp(`^${say('Requests')}`));
    await hand.heading(say('Requests'));
    await hand.choose(say('Outcome'), say('failed only'));
    await page.waitForURL(/failed=true/);
    await page
      .getByRole('table', { name: say('Requests') })
      .locator('tbody a')
      .first()
      .waitFor();
    // From the filter out to the list: the first row, and into it.
    await hand.press('Escape');
    await hand.go('region', say('Requests'));
    await hand.press('j', 'Enter');
    await hand.heading('odd');
    await page.getByText(say('The upstream failed on its side')).first().waitFor();
    await page.getByText('The server had an error while processing your request').first().waitFor();
    await hand.look();
    await hand.enter('link', say('Replay in the playground'));
    await hand.heading(say('Playground'));
    assert.equal(await page.getByRole('textbox', { name: say('Message') }).inputValue(), '7 + 5 = ?');
    await hand.enter('button', say('Make a token for an hour'));
    await hand.choose(say('Model'), 'tiny');
    await hand.enter('button', say('Send'));
    await page.getByRole('link', { name: say('Route, usage and charge') }).waitFor();
    await hand.close();
  });

  test(`${person.name}: refunds a charge, once (issue 34)`, async () => {
    const { token } = await customer(`refunded-${language}`);
    const { status, id } = await ask(token, 'tiny');
    assert.equal(status, 200);
    const hand = await operatorHand(browser, gateway, person);
    const { page, say } = hand;
    await hand.visit('/');
    await hand.find(id);
    await hand.heading('tiny');
    await hand.enter('button', say('Refund'));
    const dialog = page.getByRole('dialog', { name: say('Refund this request') });
    await dialog
      .getByRole('textbox', { name: say('Reason') })
      .and(page.locator(':focus'))
      .waitFor();
    await page.keyboard.type('cut-off');
    await hand.look();
    await hand.enter('button', say('Refund'), { within: dialog });
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('cut-off').waitFor();
    await page.getByRole('button', { name: say('Refund'), exact: true }).waitFor({ state: 'detached' });
    const { data } = await gateway.operator<{ data: LedgerEntry[] }>('GET', `/ledger?request_id=${id}`);
    const [credit, settle] = ['credit', 'settle'].map((kind) => data.find((entry) => entry.kind === kind));
    assert.deepEqual([credit?.amount, credit?.note], [settle?.amount, 'cut-off']);
    await hand.close();
  });

  test(`${person.name}: from the most expensive token of the week to its requests and to a file that is the ledger (issue 34)`, async () => {
    const { account } = await customer(`spending-${language}`);
    for (const [name, times] of [
      ['seldom-used', 1],
      ['always-used', 40],
    ] as const) {
      const token = await tokenOf(account, `${name}-${language}`);
      for (let count = 0; count < times; count++) assert.equal((await ask(token, 'tiny')).status, 200);
    }
    const hand = await operatorHand(browser, gateway, person);
    const { page, say } = hand;
    await hand.visit('/');
    await hand.find(say('Usage'), new RegExp(`^${say('Usage')}`));
    await hand.heading(say('Usage'));
    await hand.enter('button', say('7 days'));
    await hand.choose(say('Group by'), say('Token'));
    const table = page.getByRole('table', { name: say('Usage by name') });
    await table.getByRole('link', { name: `always-used-${language}` }).waitFor();
    const saved = page.waitForEvent('download');
    await hand.enter('button', say('Download CSV'), { key: 'Shift+Tab' });
    const entry = page.getByRole('menuitem', { name: say('By {name} and day: the bars', { name: say('Token') }) });
    await entry.waitFor();
    while ((await entry.and(page.locator(':focus')).count()) === 0) await hand.press('ArrowDown');
    await hand.press('Enter');
    const [head = '', ...lines] = readFileSync(await (await saved).path(), 'utf8')
      .trim()
      .split('\r\n');
    const at = head.split(',').indexOf('amount');
    const sum = lines.reduce((total, line) => total + nanoOf(line.split(',')[at] ?? ''), 0n);
    const { data } = await gateway.operator<{ data: LedgerEntry[] }>('GET', '/ledger?kind=settle&limit=200');
    assert.equal(
      sum,
      data.reduce((total, { amount }) => total + nanoOf(amount), 0n),
    );
    await hand.look();
    await hand.enter('link', `always-used-${language}`, { within: table });
    await hand.heading(say('Requests'));
    await page.getByRole('table', { name: say('Requests') }).waitFor();
    assert.equal(
      await page
        .getByRole('table', { name: say('Requests') })
        .locator('tbody tr')
        .count(),
      40,
    );
    await page.goBack(); // a key of the browser's own
    await hand.heading(say('Usage'));
    await hand.close();
  });

  test(`${person.name}: of two tabs the second sees what the first has saved (contract-2 10)`, async () => {
    const { account } = await customer(`edited-${language}`);
    const one = await operatorHand(browser, gateway, person);
    const other = await operatorHand(browser, gateway, person);
    const { say } = one;
    for (const [hand, budget] of [
      [one, '10'],
      [other, '20'],
    ] as const) {
      await hand.visit(`/accounts/${account.id}`);
      await hand.enter('button', say('Edit'));
      await hand.write(say('Budget'), budget);
    }
    await one.press('Enter');
    await one.page.getByRole('dialog').waitFor({ state: 'detached' });
    await one.go('button', say('Edit')); // the focus is back where it was
    await other.press('Enter');
    await other.page.getByText(say('Somebody else changed this while you had it open.')).waitFor();
    await other.look();
    await other.enter('button', say('Save mine anyway'));
    await other.page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal((await gateway.operator<Account>('GET', `/accounts/${account.id}`)).budget, '20');
    await one.close();
    await other.close();
  });

  test(`${person.name}: the gateway restarts under an open page, which goes on by itself (issue 34)`, async (t) => {
    const settings = { TOLLGATE_OPERATOR_PASSWORD: PASSWORD, TOLLGATE_SECRET: 'a secret that outlives the restart' };
    const own = await startTestGateway({ settings });
    t.after(() => own.upstream.stop());
    const hand = await operatorHand(browser, own, person);
    const { page, say } = hand;
    await hand.visit('/accounts');
    await page.waitForLoadState('networkidle');
    const { port } = new URL(own.address);
    await own.running.stop(2_000);
    await hand.enter('link', say('Groups'));
    await page.getByText(say('The gateway does not answer')).first().waitFor();
    const config = readConfig({
      ...settings,
      PORT: port,
      TOLLGATE_DATA_DIR: own.dataFolder,
      TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
      LOG_LEVEL: 'silent',
    });
    const again = await startGateway(config, makeLogger(config.logLevel, { write: () => {} }).logger);
    t.after(() => again.stop(2_000));
    await hand.heading(say('Groups'));
    await page.getByRole('cell', { name: 'default' }).first().waitFor();
    await page.getByText(say('The gateway does not answer')).first().waitFor({ state: 'detached' });
    await hand.close();
  });
}
