// Languages of the console and the portal (issue 34 point 10): chosen by the browser, switched in the menu, and a journey of an operator and
// one of a member in Simplified Chinese.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import type { Account } from '#contract/accounts.ts';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openConsole, openSignedIn, PASSWORD } from './support/console.ts';
import { invite, MEMBER_PASSWORD, openPortal } from './support/portal.ts';

const CHINESE = { locale: 'zh-CN', timezoneId: 'Asia/Shanghai' };

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

test('the language is the browser’s until one is chosen in the menu, which is kept (issue 34 point 10)', async () => {
  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway, { timezoneId: 'Asia/Shanghai' });
  const language = () => page.locator('html').getAttribute('lang');
  await visit('/settings');
  assert.equal(await language(), 'en');
  await page.getByRole('button', { name: 'theme, language and sign-out' }).click();
  await page.getByText('Asia/Shanghai (GMT+8)').waitFor();
  await page.getByRole('menuitem', { name: '简体中文' }).click();
  await page.getByRole('heading', { level: 1, name: '设置' }).waitFor();
  assert.equal(await language(), 'zh-CN');
  await visit('/tokens');
  await page.getByRole('heading', { level: 1, name: '令牌' }).waitFor();
  await page.getByRole('button', { name: '主题、语言与退出登录' }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor();
  assert.equal(await language(), 'en');
  assertQuiet();
  await close();
});

test('an operator signs in, errs, makes an account and gives it credit, all in Chinese (issue 34 point 10)', async () => {
  const { page, visit, assertQuiet, close } = await openConsole(browser, gateway, CHINESE);
  await visit('/accounts');
  await page.getByRole('textbox', { name: '名称' }).fill('admin');
  await page.getByRole('textbox', { name: '密码' }).fill('not the password');
  await page.getByRole('button', { name: '登录' }).click();
  await page.getByText('用户名或密码错误。').waitFor();
  await page.getByRole('textbox', { name: '密码' }).fill(PASSWORD);
  await page.getByRole('button', { name: '登录' }).click();
  await page.getByRole('heading', { level: 1, name: '账户' }).waitFor();
  await page.getByRole('button', { name: '创建账户' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: '创建账户' }).click();
  await dialog.getByText('此项必填。').waitFor();
  await dialog.getByRole('textbox', { name: '名称' }).fill('北风科技');
  await dialog.getByRole('button', { name: '创建账户' }).click();
  await page.getByRole('heading', { level: 1, name: '北风科技' }).waitFor();
  await page.getByRole('button', { name: '充值' }).click();
  await dialog.getByRole('textbox', { name: '金额' }).fill('12.5');
  await dialog.getByRole('button', { name: '充值' }).click();
  await page.getByText('当前余额为 12.50。').waitFor();
  assertQuiet();
  await close();
});

test('a member accepts an invite and makes a token, all in Chinese (issue 34 point 10)', async () => {
  const account = await gateway.operator<Account>('POST', '/accounts', { name: '南方数据' });
  const link = await invite(gateway, account, { email: 'li@nanfang.example', role: 'owner' });
  const { page, visit, assertQuiet, close } = await openPortal(browser, gateway, CHINESE);
  await page.goto(link);
  await page.getByRole('heading', { name: '设置密码' }).waitFor();
  await page.getByRole('textbox', { name: '密码', exact: true }).fill(MEMBER_PASSWORD);
  await page.getByRole('textbox', { name: '再次输入密码' }).fill(MEMBER_PASSWORD);
  await page.getByRole('button', { name: '接受邀请' }).click();
  await page.getByRole('heading', { level: 1, name: '南方数据' }).waitFor();
  await visit('/tokens');
  await page.getByRole('button', { name: '创建令牌' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: '名称' }).fill('报表');
  await dialog.getByRole('button', { name: '创建令牌' }).click();
  await page.getByText('此密钥只显示这一次。', { exact: false }).waitFor();
  await page.getByRole('button', { name: '我已保存' }).click();
  await page.getByRole('cell', { name: '报表' }).first().waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'zh-CN');
  assertQuiet();
  await close();
});
