// How much the console asks of the operator API until the overview is whole.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openSignedIn, PASSWORD } from './support/console.ts';

test('the overview makes at most 6 calls to the operator API until all of it is there (issue 34)', async (t) => {
  const gateway = await startTestGateway({ settings: { TOLLGATE_OPERATOR_PASSWORD: PASSWORD } });
  t.after(() => gateway.stop());
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const { page, assertQuiet } = await openSignedIn(browser, gateway);
  const calls = new Set<string>();
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    // What is asked again at its own pace, perhaps of another minute, is no part of the first load.
    for (const name of ['from', 'to']) searchParams.delete(name);
    if (pathname.startsWith('/operator/v1')) calls.add(`${request.method()} ${pathname} ${searchParams.toString()}`);
  });
  await page.goto(`${gateway.address}/console/`);
  await page.getByText('settled in this range').first().waitFor();
  await page.locator('svg.recharts-surface').first().waitFor();
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByRole('status').waitFor({ state: 'detached' });
  const asked = [...calls];
  for (const path of ['session', 'usage', 'attention'])
    assert.ok(
      asked.some((call) => call.startsWith(`GET /operator/v1/${path} `)),
      path,
    );
  assert.ok(asked.length <= 6, asked.join(', '));
  t.diagnostic(`${asked.length} calls: ${asked.join(', ')}`);
  assertQuiet();
});
