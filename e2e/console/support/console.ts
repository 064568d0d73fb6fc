// The console in a browser, for tests: a page that is signed in, and everything the browser complained about.
import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { TestGateway } from '../../support/gateway.ts';
import { inEnglish } from './words.ts';

export const PASSWORD = 'a password for the tests';

export interface ConsolePage {
  page: Page;
  /** Goes to a page of the console and waits for its heading. */
  visit(path: string): Promise<void>;
  /** Fails when a script broke, the policy was hurt or something was loaded from outside. */
  assertQuiet(): void;
  close(): Promise<void>;
}

export async function openConsole(
  browser: Browser,
  gateway: TestGateway,
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000); // a busy machine too
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|Content-Security-Policy/i.test(message.text())) complaints.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(gateway.address) && !/^(data|blob):/.test(url)) complaints.push(`outside: ${url}`);
  });
  return {
    page,
    async visit(path) {
      await page.goto(`${gateway.address}/console${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
    assertQuiet: () => assert.deepEqual(complaints, []),
    close: () => context.close(),
  };
}

export async function signIn(page: Page, name = 'admin', password = PASSWORD, say = inEnglish): Promise<void> {
  await page.getByLabel(say('Name')).fill(name);
  await page.getByRole('textbox', { name: say('Password') }).fill(password);
  await page.getByRole('button', { name: say('Sign in') }).click();
  await page.getByRole('heading', { name: say('Sign in') }).waitFor({ state: 'detached' });
}

/** Without the form of the sign-in, which has tests of its own: all pages of a gateway share one session. */
export async function openSignedIn(
  browser: Browser,
  gateway: TestGateway,
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const opened = await openConsole(browser, gateway, options);
  let session = sessions.get(gateway);
  if (session === undefined) sessions.set(gateway, (session = beginSession(gateway)));
  const [name = '', value = ''] = (await session).split('=');
  await opened.page.context().addCookies([{ name, value, url: gateway.address, httpOnly: true }]);
  return opened;
}

const sessions = new WeakMap<TestGateway, Promise<string>>();

/** Answers the cookie, as name=value. */
async function beginSession({ address }: TestGateway): Promise<string> {
  const response = await fetch(`${address}/operator/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'admin', password: PASSWORD }),
  });
  assert.equal(response.status, 201, await response.text());
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? assert.fail('no cookie was set');
}

/** The last one of that name: a dialog's fields come after those of the page behind it. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).last().click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
