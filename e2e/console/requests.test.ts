// The page of a request in a real browser: why it failed, replayed in the playground, refunded once, its model blocked.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import type { Account } from '#contract/accounts.ts';
import type { Channel } from '#contract/channels.ts';
import type { LedgerEntry } from '#contract/ledger.ts';
import type { Token } from '#contract/tokens.ts';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { violationsInBothThemes } from './support/axe.ts';
import { openSignedIn, PASSWORD } from './support/console.ts';

let gateway: TestGateway;
let browser: Browser;
let account: Account;
let token: Token & { key: string };
let broken: Channel;

before(async () => {
  gateway = await startTestGateway({ settings: { TOLLGATE_OPERATOR_PASSWORD: PASSWORD } });
  browser = await launchBrowser();
  const { operator } = gateway;
  account = await operator<Account>('POST', '/accounts', { name: 'Northwind' });
  await operator('POST', `/accounts/${account.id}/credits`, { amount: '50' });
  token = await operator<Token & { key: string }>('POST', '/tokens', {
    account_id: account.id,
    name: 'reports',
    options: { store_bodies: 'all' },
  });
  const channel = (name: string, behave: string | undefined, models: object) =>
    operator<Channel>('POST', '/channels', {
      name,
      provider: 'openai',
      base_url: gateway.upstream.baseUrl('openai', behave),
      keys: [`sk-upstream-of-${name}`],
      models,
    });
  await channel('good', undefined, { tiny: 'sandbox-chat' });
  broken = await channel('broken', 'fail-500', { odd: 'sandbox-chat' });
  for (const id of ['tiny', 'odd'])
    await operator('PUT', `/models/${id}`, { price: { unit: 'tokens', input: '100', output: '300' } });
});

after(async () => {
  await browser.close();
  await gateway.stop();
});

async function ask(model: string, content: string): Promise<Response> {
  return fetch(`${gateway.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content }], temperature: 0.25 }),
  });
}

test('a failure is found, understood by the words of its upstream, and replayed (issue 34 point 4)', async () => {
  assert.equal((await ask('odd', 'count the bridges')).status, 502);
  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
  await visit('/requests?failed=true');
  await page.getByRole('table', { name: 'Requests' }).locator('tbody a').first().click();
  await page.getByRole('heading', { level: 1, name: 'odd' }).waitFor();
  const lanes = page.getByRole('list', { name: 'Attempts' });
  await lanes.getByRole('link', { name: 'broken' }).waitFor();
  await lanes.getByText('The upstream failed on its side').waitFor();
  await lanes.getByText('The server had an error while processing your request').waitFor();
  await lanes.getByText(/^from \d+ ms to \d+ ms$/).waitFor();
  // Kept bodies, as people read them.
  await page.getByRole('region', { name: 'Asked' }).getByText('"content": "count the bridges"').waitFor();
  assert.deepEqual(await violationsInBothThemes(page, 'failed request'), []);
  assert.equal(
    await page.getByRole('link', { name: 'Open the channel' }).getAttribute('href'),
    `/console/channels/${broken.id}`,
  );

  await page.getByRole('link', { name: 'Replay in the playground' }).click();
  await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
  assert.equal(await page.getByRole('combobox', { name: 'Model', exact: true }).inputValue(), 'odd');
  assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), 'count the bridges');
  assert.equal(await page.getByRole('textbox', { name: 'Temperature' }).inputValue(), '0.25');
  await page.getByRole('button', { name: 'Make a token for an hour' }).click();
  await page.getByText('Calls are made with').waitFor();
  await page.getByRole('combobox', { name: 'Model', exact: true }).click();
  await page.getByRole('option', { name: 'tiny', exact: true }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('link', { name: 'Route, usage and charge' }).waitFor();
  assertQuiet();
  await close();
});

test('a charge is refunded once, with a reason in the ledger (issue 34 point 4)', async () => {
  const answer = await ask('tiny', 'hello');
  const id = answer.headers.get('x-request-id') ?? '';
  assert.equal(answer.status, 200);
  await answer.text();
  const before = await gateway.operator<Account>('GET', `/accounts/${account.id}`);
  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
  await visit(`/requests/${id}`);
  await page.getByRole('button', { name: 'Refund' }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund this request' });
  await dialog.getByRole('button', { name: 'Refund' }).click();
  await dialog
    .getByText(/This is needed|must|character/)
    .first()
    .waitFor();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('the answer was cut');
  await dialog.getByRole('button', { name: 'Refund' }).click();
  await page.getByText(/were refunded on .* by admin: the answer was cut/).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Refund' }).count(), 0, 'once');
  const { data } = await gateway.operator<{ data: LedgerEntry[] }>('GET', `/ledger?request_id=${id}`);
  const [credit, settle] = ['credit', 'settle'].map((kind) => data.find((entry) => entry.kind === kind));
  assert.deepEqual([credit?.amount, credit?.note, credit?.author], [settle?.amount, 'the answer was cut', 'admin']);
  const later = await gateway.operator<Account>('GET', `/accounts/${account.id}`);
  assert.equal(Number(later.balance).toFixed(9), (Number(before.balance) + Number(settle?.amount)).toFixed(9));

  await page.getByRole('button', { name: 'Block this model' }).click();
  await page.getByRole('dialog').getByText('models that you add later are not among them').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Block', exact: true }).click();
  await page.getByText('reports may not use tiny any more.').waitFor();
  assert.equal((await ask('tiny', 'hello')).status, 403);
  assert.equal((await ask('odd', 'hello')).status, 502, 'the others stay');
  assertQuiet();
  await close();
});
