// What a browser really loads before an operator can sign in, and until the overview shows its figures. The charts, whose
// library is the largest part, come later: the page does not wait for them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway } from '../support/gateway.ts';
import { waitUntil } from '../support/wait.ts';
import { openConsole, PASSWORD, signIn } from './support/console.ts';

const MOST_BYTES = 350_000;
const CHARTS = /\/assets\/(?:charts|BarChart)-[^/]+\.js$/;

test(
  'sign-in and overview need less than 350 kB of compressed script; charts follow',
  { timeout: 60_000 },
  async (t) => {
    const gateway = await startTestGateway({ settings: { TOLLGATE_OPERATOR_PASSWORD: PASSWORD } });
    t.after(() => gateway.stop());
    const browser = await launchBrowser();
    t.after(() => browser.close());
    const { page, visit, assertQuiet } = await openConsole(browser, gateway);
    let letChartsCome = (): void => {};
    const mayCome = new Promise<void>((resolve) => {
      letChartsCome = resolve;
    });
    await page.route(CHARTS, async (route) => {
      await mayCome;
      await route.continue();
    });
    const scripts = new Map<string, number>();
    page.on('requestfinished', async (request) => {
      // As it came over the wire.
      if (request.resourceType() === 'script') scripts.set(request.url(), (await request.sizes()).responseBodySize);
    });
    const loaded = (): number => [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0);

    await visit('/');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.waitForLoadState('networkidle');
    const forSignIn = loaded();
    await signIn(page);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByText('settled in this range').first().waitFor();
    const forOverview = loaded();
    assert.ok(forSignIn > 50_000 && forSignIn < MOST_BYTES, `sign-in: ${forSignIn} bytes`);
    assert.ok(forOverview > forSignIn && forOverview < MOST_BYTES, `overview: ${forOverview} bytes`);
    assert.equal(await page.locator('svg.recharts-surface').count(), 0);

    letChartsCome();
    await page.locator('svg.recharts-surface').first().waitFor();
    await waitUntil(() => [...scripts.keys()].some((url) => CHARTS.test(url)), 'the charts were not counted');
    t.diagnostic(`sign-in ${forSignIn} bytes, overview ${forOverview}, charts later ${loaded() - forOverview}`);
    assertQuiet();
  },
);
