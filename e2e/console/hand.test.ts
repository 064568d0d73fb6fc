// What a person at the keyboard relies on: nothing typed is lost, Back returns, and few keys lead anywhere (issue 34).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { Account } from '#contract/accounts.ts';
import type { Token } from '#contract/tokens.ts';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { seriousViolations } from './support/axe.ts';
import { openSignedIn, PASSWORD } from './support/console.ts';

const ACCOUNTS = 60;

let gateway: TestGateway;
let browser: Browser;
let first: Account;

before(async () => {
  gateway = await startTestGateway({ settings: { TOLLGATE_OPERATOR_PASSWORD: PASSWORD } });
  browser = await launchBrowser();
  for (let count = 1; count <= ACCOUNTS; count++) {
    const made = await gateway.operator<Account>('POST', '/accounts', { name: `Customer ${count}` });
    if (count === 1) first = made;
  }
  for (const name of ['reports', 'notebook', 'batch'])
    await gateway.operator<Token>('POST', '/tokens', { account_id: first.id, name });
});

after(async () => {
  await browser.close();
  await gateway.stop();
});

const budgetOf = async () => (await gateway.operator<Account>('GET', `/accounts/${first.id}`)).budget;

async function typeBudget(page: Page, budget: string): Promise<void> {
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Budget' }).fill(budget);
}

test('of two tabs the second sees what the first has saved, and chooses (contract-2 10)', async () => {
  const one = await openSignedIn(browser, gateway);
  const other = await openSignedIn(browser, gateway);
  for (const { visit } of [one, other]) await visit(`/accounts/${first.id}`);
  await typeBudget(one.page, '10');
  await typeBudget(other.page, '20');
  await one.page.getByRole('button', { name: 'Save' }).click();
  await one.page.getByRole('dialog').waitFor({ state: 'detached' });
  await other.page.getByRole('button', { name: 'Save' }).click();
  const notice = other.page.getByRole('alert').filter({ hasText: 'Somebody else changed this' });
  await notice.getByRole('row', { name: 'budget 10 20' }).waitFor();
  assert.equal(await budgetOf(), '10', 'nothing is lost silently');
  assert.deepEqual(await seriousViolations(other.page), []);
  await notice.getByRole('button', { name: 'Save mine anyway' }).click();
  await other.page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await budgetOf(), '20');

  await typeBudget(one.page, '30');
  await one.page.getByRole('button', { name: 'Save' }).click();
  await one.page.getByRole('button', { name: 'Discard mine' }).click();
  await one.page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await budgetOf(), '20');
  await one.close();
  await other.close();
});

test('Escape asks before it discards a form that was filled in, and never asks for nothing', async () => {
  const { page, visit, close } = await openSignedIn(browser, gateway);
  await visit('/accounts');
  const open = page.getByRole('button', { name: 'Create account' });
  await open.click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await open.click();
  await page.getByRole('textbox', { name: 'Name' }).fill('half filled');
  await page.keyboard.press('Escape');
  await page.getByText('What you typed is not saved').waitFor();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'half filled');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await close();
});

test('Back from a thing returns to the same page of its list, and to where it was scrolled', async () => {
  const { page, visit, close } = await openSignedIn(browser, gateway, { viewport: { width: 1280, height: 500 } });
  await visit('/accounts');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Page 2').waitFor();
  const row = page.getByRole('link', { name: 'Customer 3', exact: true });
  await row.scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate<number>('scrollY');
  assert.ok(scrolled > 100, `${scrolled}`);
  await row.click();
  await page.getByRole('heading', { level: 1, name: 'Customer 3' }).waitFor();
  await page.goBack();
  await page.getByText('Page 2').waitFor();
  await page.waitForFunction(`Math.abs(scrollY - ${scrolled}) < 40`);
  await page.goBack();
  await page.getByText('Page 1').waitFor();
  await close();
});

test('Ctrl+K leads by a few letters to accounts, tokens and pages, by keys alone (issue 34 point 6)', async () => {
  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
  await visit('/settings');
  const find = async (text: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find anything' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type(text);
  };
  await find('customer 60');
  await page.getByRole('option', { name: /Customer 60/ }).waitFor();
  assert.deepEqual(await seriousViolations(page), []);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Customer 60' }).waitFor();
  await find('audit');
  await page.getByRole('option', { name: /Audit log/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  await find(first.id);
  await page.getByRole('option', { name: /Customer 1\b/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Find anything' }).waitFor({ state: 'detached' });
  assertQuiet();
  await close();
});

test('rows are walked by j and k, opened by Enter, chosen by x and changed together; lists are sorted', async () => {
  const { page, visit, close } = await openSignedIn(browser, gateway);
  await visit(`/tokens?account_id=${first.id}`);
  await page.getByRole('link', { name: 'reports' }).waitFor();
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await page.waitForURL(/sort=-name/);
  await page.getByRole('row').nth(1).getByText('reports').waitFor();
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await page.waitForURL(/sort=name/);
  await page.getByRole('row').nth(1).getByText('batch').waitFor();
  await page.locator('body').press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  const bar = page.getByRole('group', { name: 'Chosen rows' });
  await bar.getByText('2 selected').waitFor();
  await bar.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable 2' }).click();
  await page.getByText('2 done').waitFor();
  const { data } = await gateway.operator<{ data: Token[] }>('GET', `/tokens?account_id=${first.id}&sort=name`);
  assert.deepEqual(
    data.map(({ name, status }) => `${name} ${status}`),
    ['batch disabled', 'notebook disabled', 'reports enabled'],
  );
  await page.locator('body').press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /batch|notebook|reports/ }).waitFor();
  await close();
});

test('filters are saved as a view by one operator, and a picker finds any account by its letters', async () => {
  const { page, visit, close } = await openSignedIn(browser, gateway);
  await visit('/tokens');
  const picker = page.getByRole('combobox', { name: 'Account' });
  await picker.click();
  await picker.pressSequentially('customer 1');
  await page.getByRole('option', { name: 'Customer 1', exact: true }).waitFor();
  await page.keyboard.press('Enter'); // the whole name comes first
  await page.waitForURL((url) => url.searchParams.get('account_id') === first.id);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('textbox', { name: 'Save these filters as' }).fill('of the first');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'of the first' }).waitFor();
  await page.keyboard.press('Escape');
  await visit('/tokens');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'of the first' }).click();
  await page.waitForURL((url) => url.searchParams.get('account_id') === first.id);
  await close();
});

test('Enter before the search has answered takes the best match of it, in a picker and in Ctrl+K', async () => {
  const { page, visit, close } = await openSignedIn(browser, gateway);
  await visit('/tokens');
  const picker = page.getByRole('combobox', { name: 'Account' });
  await picker.click();
  await page.getByRole('option', { name: 'Customer 60', exact: true }).waitFor();
  await picker.fill('customer 1');
  await picker.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('account_id') === first.id);
  assert.equal(await picker.inputValue(), 'Customer 1');
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('combobox', { name: 'Find anything' });
  await palette.fill('customer');
  await page
    .getByRole('option', { name: /Customer/ })
    .first()
    .waitFor();
  await palette.fill('customer 60');
  await palette.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Customer 60' }).waitFor();
  await close();
});

test('on a low screen the navigation shows the page that one is on', async () => {
  const { page, visit, close } = await openSignedIn(browser, gateway, { viewport: { width: 1280, height: 500 } });
  await visit('/settings');
  await page.waitForFunction(`(() => {
    const list = document.querySelector('.side-scroll').getBoundingClientRect();
    const active = document.querySelector('.side-scroll [data-status="active"]').getBoundingClientRect();
    return active.top >= list.top && active.bottom <= list.bottom;
  })()`);
  await close();
});

test('on a phone every row of a list is a card with all its columns, and nothing is cut off', async () => {
  const { page, visit, close } = await openSignedIn(browser, gateway, { viewport: { width: 375, height: 800 } });
  for (const path of ['/accounts', '/tokens', '/audit', '/ledger']) {
    await visit(path);
    await page.waitForLoadState('networkidle');
    const wide = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.table-frame')].filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.ariaLabel)`,
    );
    assert.deepEqual(wide, [], path);
  }
  await visit('/accounts');
  await page.getByRole('row').nth(1).getByRole('cell').nth(5).waitFor();
  assert.deepEqual(await seriousViolations(page), []);
  await close();
});
