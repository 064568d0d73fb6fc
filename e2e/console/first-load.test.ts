// What a browser really loads until a person sees the first figures: scripts, styles and the texts of their language, as they
// come over the wire. Charts and the tables below the figures come later: the figures do not wait for them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page, Request } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitUntil } from '../support/wait.ts';
import { type ConsolePage, openConsole, PASSWORD, signIn } from './support/console.ts';
import { fillGateway } from './support/fill-gateway.ts';
import { join, MEMBER_PASSWORD, openPortal } from './support/portal.ts';
import { type Language, wordsOf } from './support/words.ts';

/** 300 kB is what is promised (issue 34). The rest is room for what comes with the next pages. */
const MOST_BYTES = 290_000;
const CHARTS = /\/assets\/(?:charts|BarChart)-[^/]+\.js$/;

let gateway: TestGateway;
let browser: Browser;

before(async () => {
  gateway = await startTestGateway({ settings: { TOLLGATE_OPERATOR_PASSWORD: PASSWORD } });
  const { account } = await fillGateway(gateway);
  await join(gateway, account, { email: 'nora@northwind.test', role: 'owner' });
  browser = await launchBrowser();
});

after(async () => {
  await browser.close();
  await gateway.stop();
});

interface FirstLoad {
  /** Up to the form of the sign-in. */
  signIn: number;
  /** Up to the first figures. */
  whole: number;
  /** Charts, once they are let through. */
  later: number;
}

interface Visit {
  opened: ConsolePage;
  /** Through the form. */
  enter(page: Page): Promise<void>;
  /** What is there once usage is known. */
  figure: string;
}

/** While the answer with the usage is held, nothing that follows it is asked for. Then the figures must come without one script more. */
async function measure({ opened, enter, figure }: Visit): Promise<FirstLoad> {
  const { page, visit } = opened;
  let letUsageCome = (): void => {};
  const usage = new Promise<void>((resolve) => (letUsageCome = resolve));
  let letPartsCome = (): void => {};
  const parts = new Promise<void>((resolve) => (letPartsCome = resolve));
  let holdsParts = false;
  await page.route(/\/v1\/usage\?/, async (route) => {
    await usage;
    await route.continue();
  });
  await page.route(/\/assets\/.*\.(?:js|css)$/, async (route) => {
    if (holdsParts) await parts;
    await route.continue();
  });
  const coming = new Set<Request>();
  const sizes = new Map<string, Promise<number>>();
  page.on('request', (request) => isPart(request) && coming.add(request));
  page.on('requestfinished', (request) => {
    if (isPart(request)) sizes.set(request.url(), sizeOf(request));
    coming.delete(request);
  });
  const loaded = async () => (await Promise.all(sizes.values())).reduce((sum, bytes) => sum + bytes, 0);
  await visit('/');
  await page.waitForLoadState('networkidle');
  const signInBytes = await loaded();
  const usageAsked = page.waitForRequest(/\/v1\/usage\?/);
  await enter(page);
  await usageAsked;
  await page.getByRole('heading', { level: 1 }).waitFor();
  await waitUntil(() => coming.size === 0, 'parts of the page are still on their way');
  const whole = await loaded();
  holdsParts = true;
  letUsageCome();
  await page.locator(figure).first().waitFor();
  assert.equal(await page.locator('svg.recharts-surface').count(), 0);
  assert.equal(await loaded(), whole);
  letPartsCome();
  await page.locator('svg.recharts-surface').first().waitFor();
  await waitUntil(() => [...sizes.keys()].some((url) => CHARTS.test(url)), 'the charts were not counted');
  opened.assertQuiet();
  await opened.close();
  return { signIn: signInBytes, whole, later: (await loaded()) - whole };
}

function isPart(request: Request): boolean {
  return ['script', 'stylesheet'].includes(request.resourceType());
}

/** Compressed. */
async function sizeOf(request: Request): Promise<number> {
  return (await request.sizes()).responseBodySize;
}

function assertLight({ signIn: toSignIn, whole }: FirstLoad, name: string): void {
  assert.ok(toSignIn > 50_000 && whole > toSignIn, `${name}: ${toSignIn}, then ${whole} bytes`);
  assert.ok(whole < MOST_BYTES, `${name}: ${whole} bytes`);
}

const languages: [Language, string][] = [
  ['en', 'en-US'],
  ['zh', 'zh-CN'],
];

for (const [language, locale] of languages) {
  const say = wordsOf(language);

  test(`console, ${language}: sign-in and overview need less than 300 kB compressed; charts follow (issue 34)`, async (t) => {
    const opened = await openConsole(browser, gateway, { locale });
    const load = await measure({
      opened,
      enter: (page) => signIn(page, 'admin', PASSWORD, say),
      figure: '[aria-busy=false]',
    });
    t.diagnostic(JSON.stringify(load));
    assertLight(load, `console ${language}`);
  });

  test(`portal, ${language}: sign-in and overview need less than 300 kB compressed; charts follow (issue 34)`, async (t) => {
    const load = await measure({
      opened: await openPortal(browser, gateway, { locale }),
      async enter(page) {
        await page.getByLabel(say('E-mail address')).fill('nora@northwind.test');
        await page.getByRole('textbox', { name: say('Password') }).fill(MEMBER_PASSWORD);
        await page.getByRole('button', { name: say('Sign in') }).click();
      },
      figure: 'text=orion-large',
    });
    t.diagnostic(JSON.stringify(load));
    assertLight(load, `portal ${language}`);
  });
}
