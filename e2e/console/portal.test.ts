// The portal in a browser: what a member does there, and what nobody of another account sees (contract-2 10).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import type { Account } from '#contract/accounts.ts';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openSignedIn, PASSWORD } from './support/console.ts';
import { fillGateway, type Filled } from './support/fill-gateway.ts';
import { callAs, invite, join, MEMBER_PASSWORD, openPortal, type TestMember } from './support/portal.ts';

const NAME = 'Harbour & Sons <AI>';

let gateway: TestGateway;
let browser: Browser;
let filled: Filled;
let owner: TestMember;
let viewer: TestMember;
let stranger: TestMember;

before(async () => {
  gateway = await startTestGateway({
    settings: {
      TOLLGATE_OPERATOR_PASSWORD: PASSWORD,
      TOLLGATE_PORTAL_NAME: NAME,
      TOLLGATE_PORTAL_COLOR: '#0F766E',
      TOLLGATE_CURRENCY: 'EUR',
    },
  });
  browser = await launchBrowser();
  filled = await fillGateway(gateway);
  const { data } = await gateway.operator<{ data: Account[] }>('GET', '/accounts');
  const other = data.find(({ name }) => name === 'Harbour Labs') ?? assert.fail('no other account');
  owner = await join(gateway, filled.account, { email: 'olga@northwind.example', role: 'owner' });
  viewer = await join(gateway, filled.account, { email: 'vera@northwind.example', role: 'viewer' });
  stranger = await join(gateway, other, { email: 'sam@harbour.example', role: 'owner' });
});

after(async () => {
  await browser.close();
  await gateway.stop();
});

test('invite, password, token, call, request, spend, statement, code (issue 34 point 9)', async () => {
  const link = await invite(gateway, filled.account, {
    email: 'ann@northwind.example',
    cap: { amount: '5', period: 'month' },
  });
  const { page, assertQuiet, close } = await openPortal(browser, gateway);
  await page.goto(link);
  await page.getByRole('heading', { name: 'Choose your password' }).waitFor();
  assert.match(await page.title(), /Harbour & Sons <AI>$/);
  // By keyboard alone: the first field has the focus.
  await page.keyboard.type(MEMBER_PASSWORD);
  await page.getByRole('textbox', { name: 'Password again' }).focus();
  await page.keyboard.type(MEMBER_PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Northwind Analytics' }).waitFor();
  assert.equal(new URL(page.url()).hash, '', 'the invite is gone from the address');
  await page.getByRole('region', { name: 'Your cap' }).getByText('5.00').first().waitFor();
  await page.locator('svg.recharts-surface').first().waitFor();

  await page.getByRole('link', { name: 'Tokens', exact: true }).click();
  await page.getByRole('button', { name: 'Create token' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create token' });
  await dialog.getByLabel('Name').fill('from the portal');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const key = await page.getByRole('textbox', { name: 'Key' }).inputValue();
  assert.match(key, /^sk-/);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  const called = await fetch(`${gateway.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'orion-large', messages: [{ role: 'user', content: 'What is the toll?' }] }),
  });
  assert.equal(called.status, 200, await called.text());

  await page.getByRole('link', { name: 'from the portal' }).click();
  const row = page.getByRole('row').nth(1);
  await row.getByText('orion-large').waitFor();
  assert.equal(await page.getByRole('row').count(), 2, 'one request was made with this token');
  const charge = ((await row.getByRole('cell').last().textContent()) ?? '').trim();
  assert.notEqual(charge, '0.00');
  await row.getByRole('link').click();
  await page.getByText('Answered').waitFor();
  assert.ok((await page.getByRole('region', { name: 'Outcome' }).textContent())?.includes(`${charge} EUR`));

  await page.getByRole('link', { name: 'Usage', exact: true }).click();
  await page.getByText('By token').click();
  const used = page.getByRole('row', { name: /from the portal/ });
  const spend = used.getByRole('cell').last().getByTitle(`${charge} EUR`);
  assert.match((await spend.textContent()) ?? '', /^\d+\.\d{2,4} EUR$/, 'spend of the token is its one charge');

  await page.getByRole('link', { name: 'Statements' }).click();
  await page.getByText('Closing balance').waitFor();
  const print = await page.getByRole('link', { name: 'Open to print' }).getAttribute('href');
  await page.goto(print ?? '');
  await page.getByText('Northwind Analytics').first().waitFor();
  await page.goBack();

  const { data: codes } = await gateway.operator<{ data: { code: string }[] }>('POST', '/codes', { amount: '12.5' });
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('textbox', { name: 'Code' }).fill(codes[0]?.code ?? '');
  await page.getByRole('button', { name: 'Redeem' }).click();
  await page.getByText(/^12\.50 EUR added\. The balance is now/).waitFor();
  await page.getByRole('textbox', { name: 'Code' }).fill(codes[0]?.code ?? '');
  await page.getByRole('button', { name: 'Redeem' }).click();
  await page.locator('[aria-invalid="true"]').waitFor();

  await page.getByRole('button', { name: /ann@northwind.example/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('E-mail address').fill('ann@northwind.example');
  await page.getByRole('textbox', { name: 'Password' }).fill(MEMBER_PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Northwind Analytics' }).waitFor();
  assertQuiet();
  await close();
});

test('a token is rotated with a day of grace, and another is disabled: its key is refused (contract-2 10)', async () => {
  const { page, visit, close } = await openPortal(browser, gateway, { member: owner });
  await visit('/tokens');
  const row = page.getByRole('row', { name: /reports service/ });
  await row.getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('dialog').getByText('In a day').click(); // what others of this file call with goes on
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
  assert.notEqual(await page.getByRole('textbox', { name: 'Key' }).inputValue(), filled.key);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  const films = page.getByRole('row', { name: /films/ });
  await films.getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
  const key = await page.getByRole('textbox', { name: 'Key' }).inputValue();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  const modelsWith = async (bearer: string) =>
    (await fetch(`${gateway.address}/v1/models`, { headers: { authorization: `Bearer ${bearer}` } })).status;
  assert.deepEqual(
    [await modelsWith(key), await modelsWith(filled.key)],
    [200, 200],
    'the new key, and the one in grace',
  );
  await films.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await films.getByText('disabled').waitFor();
  assert.ok([401, 403].includes(await modelsWith(key)));
  await close();
});

test('what an operator disabled, limited or ended stays so, and the page says why (contract-2 10)', async () => {
  const member = await join(gateway, filled.account, { email: 'mona@northwind.example', role: 'member' });
  const ids: string[] = [];
  for (const name of ['limited one', 'ended one']) {
    const { text } = await callAs(member, `${gateway.address}/portal/v1/tokens`, { method: 'POST', body: { name } });
    ids.push((JSON.parse(text) as { id: string }).id);
  }
  await gateway.operator('PATCH', `/tokens/${ids[0]}`, { status: 'disabled', quota: '1' });
  await gateway.operator('DELETE', `/tokens/${ids[1]}`);
  const { page, visit, close } = await openPortal(browser, gateway, { member });
  await visit('/tokens');
  const limited = page.getByRole('row', { name: /limited one/ });
  await limited.getByRole('button', { name: 'Enable' }).click();
  await page.getByText('An operator disabled this token. Only an operator can enable it.').waitFor();
  await limited.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit token' });
  await form.getByLabel('Quota', { exact: true }).fill('2');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('An operator set "quota" of this token. You can only make it stricter.').waitFor();
  await form.getByRole('button', { name: 'Cancel' }).click();
  const ended = page.getByRole('row', { name: /ended one/ });
  await ended.getByRole('button', { name: 'Rotate' }).click();
  const rotate = page.getByRole('dialog', { name: 'New key for ended one' });
  await rotate.getByRole('button', { name: 'Rotate' }).click();
  await rotate.getByText(/^The token has ended/).waitFor();
  await rotate.getByRole('button', { name: 'Cancel' }).click();
  await rotate.waitFor({ state: 'hidden' });
  await ended.getByRole('button', { name: 'Enable' }).click();
  await page.getByText(/^The token has ended/).waitFor();
  await close();
});

test('a video of the account is played in the page, whole or a range (contract-2 10)', async () => {
  const { page, visit, close } = await openPortal(browser, gateway, { member: owner });
  await visit(`/tasks/${filled.videos.done.id}`);
  const source = (await page.locator('video').getAttribute('src')) ?? '';
  assert.equal(source, `${gateway.address}/portal/v1/tasks/${filled.videos.done.id}/content`);
  const whole = await callAs(owner, source);
  assert.deepEqual([whole.status, whole.headers.get('content-type')], [200, 'video/mp4']);
  const range = await callAs(owner, source, { headers: { range: 'bytes=0-3' } });
  assert.deepEqual([range.status, range.headers.get('content-length')], [206, '4']);
  await visit(`/tasks/${filled.videos.failed.id}`);
  assert.equal(await page.locator('video').count(), 0);
  await close();
});

test('a viewer sees all of the account and can change nothing (contract-2 10)', async () => {
  const { page, visit, close } = await openPortal(browser, gateway, { member: viewer });
  await visit('/tokens');
  await page.getByText('reports service').waitFor();
  for (const name of ['Create token', 'Rotate', 'Disable'])
    assert.equal(await page.getByRole('button', { name }).count(), 0, name);
  await visit('/');
  assert.equal(await page.getByRole('button', { name: 'Redeem' }).count(), 0);
  const url = `${gateway.address}/portal/v1/tokens`;
  assert.equal((await callAs(viewer, url, { method: 'POST', body: { name: 'x' } })).status, 403);
  await close();
});

test('usage is what the balance paid for: calls of test tokens are apart (contract-2 10)', async () => {
  const usage = async (query: string) => (await callAs(owner, `${gateway.address}/portal/v1/usage?${query}`)).text;
  assert.match(await usage('by=model'), /orion-large/);
  assert.doesNotMatch(await usage('by=model'), /sandbox-chat/);
  assert.match(await usage('by=model&mode=test'), /sandbox-chat/);
  const lines = (await usage('by=token&format=csv')).trim().split('\n');
  assert.match(lines[0] ?? '', /^bucket,model,token,requests,/);
  assert.ok(lines.some((line) => line.includes(filled.token.id)));
});

test('a member changes the password in the page, and the old one is refused (contract-2 10)', async () => {
  const member = await join(gateway, filled.account, { email: 'paul@northwind.example', role: 'viewer' });
  const { page, visit, close } = await openPortal(browser, gateway, { member });
  await visit('/settings');
  await page.getByRole('textbox', { name: 'Current password' }).fill(MEMBER_PASSWORD);
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('another password');
  await page.getByRole('textbox', { name: 'New password again' }).fill('another password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Your password is changed.').waitFor();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  assert.equal((await callAs(member, `${gateway.address}/portal/v1/session`)).status, 401, 'the session before');
  const old = { email: 'paul@northwind.example', password: MEMBER_PASSWORD };
  const signIn = await callAs(member, `${gateway.address}/portal/v1/session`, { method: 'POST', body: old });
  assert.equal(signIn.status, 401, 'the old password');
  await close();
});

test('a member of another account gets nothing by address or API (issue 34)', async () => {
  const { page, visit, close } = await openPortal(browser, gateway, { member: stranger });
  const { token, request, videos, account } = filled;
  for (const path of [`/requests/${request.id}`, `/tasks/${videos.done.id}`]) {
    await page.goto(`${gateway.address}/portal${path}`);
    await page.getByRole('alert').waitFor();
    assert.doesNotMatch((await page.locator('main').textContent()) ?? '', /orion|alpha|Northwind/);
  }
  await visit(`/requests?token_id=${token.id}`);
  await page.getByText('No requests here').waitFor();
  await visit('/tokens');
  await page.getByText('notebook').waitFor();
  assert.equal(await page.getByText('reports service').count(), 0);
  await close();

  const at = (path: string) => `${gateway.address}/portal/v1${path}`;
  for (const [method, path, body] of [
    ['GET', `/requests/${request.id}`],
    ['GET', `/tasks/${videos.done.id}`],
    ['GET', `/tasks/${videos.done.id}/content`],
    ['PATCH', `/tokens/${token.id}`, { name: 'mine now' }],
    ['POST', `/tokens/${token.id}/rotate`, {}],
    ['DELETE', `/tokens/${token.id}`],
  ] as const) {
    const { status, text } = await callAs(stranger, at(path), { method, ...(body !== undefined && { body }) });
    assert.equal(status, 404, `${method} ${path}: ${text}`);
    assert.doesNotMatch(text, /orion|alpha|Northwind/);
  }
  for (const path of ['/statement', '/usage', '/account', '/tokens', '/requests', '/tasks']) {
    assert.equal(
      (await callAs(stranger, at(`${path}?account_id=${account.id}`))).status,
      path === '/account' ? 200 : 400,
    );
    const { status, text } = await callAs(stranger, at(path));
    assert.equal(status, 200);
    assert.doesNotMatch(text, /Northwind|reports service/, path);
  }
  for (const path of ['/operator/v1/accounts', '/operator/v1/session', `/operator/v1/requests/${request.id}`])
    assert.equal((await callAs(stranger, `${gateway.address}${path}`)).status, 401, path);
});

test('an operator invites, changes and removes a member, and makes codes, in the console (contract-2 10)', async () => {
  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
  await visit(`/accounts/${filled.account.id}`);
  await page.getByRole('button', { name: 'Invite member' }).click();
  const form = page.getByRole('dialog', { name: 'Invite member' });
  await form.getByLabel('E-mail address').fill('not an address');
  await form.getByRole('button', { name: 'Invite', exact: true }).click();
  await form.locator('[aria-invalid="true"]').waitFor();
  await form.getByLabel('E-mail address').fill('Mia@northwind.example');
  await form.getByLabel('Cap', { exact: true }).fill('7.5');
  await form.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  const row = page.getByRole('row', { name: /mia@northwind.example/ });
  await row.getByText('invited').waitFor();
  await row.getByText('7.50').waitFor();

  const other = await openPortal(browser, gateway);
  await other.page.goto(link);
  await other.page.getByRole('textbox', { name: 'Password', exact: true }).fill(MEMBER_PASSWORD);
  await other.page.getByRole('textbox', { name: 'Password again' }).fill(MEMBER_PASSWORD);
  await other.page.getByRole('button', { name: 'Accept the invite' }).click();
  await other.page.getByRole('heading', { level: 1, name: 'Northwind Analytics' }).waitFor();

  await row.getByRole('button', { name: 'Change mia@northwind.example' }).click();
  const change = page.getByRole('dialog', { name: 'Change mia@northwind.example' });
  await change.getByText('viewer').click();
  await change.getByRole('button', { name: 'Save' }).click();
  await row.getByText('viewer').waitFor();
  await row.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await row.getByText('disabled').waitFor();
  await other.visit('/tokens');
  await other.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await other.close();

  await visit('/codes');
  await page.getByRole('button', { name: 'Create codes' }).first().click();
  const codes = page.getByRole('dialog', { name: 'Create codes' });
  await codes.getByLabel('Amount of each').fill('3');
  await codes.getByLabel('How many').fill('2');
  await codes.getByLabel('Note').fill('spring');
  await codes.getByRole('button', { name: 'Create codes' }).click();
  const list = page.getByRole('dialog', { name: 'Your new codes' }).getByRole('region', { name: 'Codes' });
  const shown = (await list.innerText()).trim().split('\n');
  assert.equal(shown.length, 2);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  const redeemed = await callAs(owner, `${gateway.address}/portal/v1/codes/redeem`, {
    method: 'POST',
    body: { code: shown[0] ?? '' },
  });
  assert.equal(redeemed.status, 201, redeemed.text);
  await visit('/codes?redeemed=true');
  await page.getByRole('row', { name: /3\.00.*redeemed.*spring/s }).waitFor();

  // Several at once; the one that was redeemed stays, because its credit is in the ledger.
  await visit('/codes');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('group', { name: 'Chosen rows' }).getByRole('button', { name: 'Remove' }).click();
  const asked = page.getByRole('dialog', { name: 'Remove 1' });
  await asked.getByText('of the selected rows; they stay as they are.').waitFor();
  await asked.getByRole('button', { name: 'Remove 1' }).click();
  await page.getByText('1 done').waitFor();
  const { data: left } = await gateway.operator<{ data: { note: string; redeemed_at: number | null }[] }>(
    'GET',
    '/codes',
  );
  assert.deepEqual(
    left.filter(({ note }) => note === 'spring').map(({ redeemed_at }) => redeemed_at !== null),
    [true],
  );
  assertQuiet();
  await close();
});
