// The reference page at /docs runs no script but its own files: what somebody might smuggle into a description of a route
// would not be run by the browser of an operator.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openConsole } from '../console/support/console.ts';
import { launchBrowser } from '../support/browser.ts';
import { suiteGateway } from '../support/world.ts';

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>|\son[a-z]+\s*=|javascript:/i;

test('no page under /docs has an inline script, and the policy allows none', async () => {
  const gateway = await suiteGateway();
  for (const path of ['/docs', '/docs/', '/docs/static/index.html', '/docs/static/oauth2-redirect.html']) {
    const response = await fetch(`${gateway.address}${path}`);
    const html = await response.text();
    if (response.status === 404) continue;
    assert.equal(response.status, 200, path);
    assert.doesNotMatch(html, INLINE_SCRIPT, path);
    const policy = response.headers.get('content-security-policy') ?? '';
    const scripts = policy.split(';').find((rule) => rule.trim().startsWith('script-src')) ?? '';
    assert.equal(scripts.trim(), "script-src 'self'", path);
    assert.match(policy, /default-src 'none'/, path);
  }
});

test('a real browser shows the page under that policy', async () => {
  const gateway = await suiteGateway();
  const browser = await launchBrowser();
  try {
    const { page, assertQuiet, close } = await openConsole(browser, gateway);
    // Two of its endpoints: to draw them all takes a processor for long, and the policy is the same.
    await page.route(/\/(?:openapi\.json|docs\/json)$/, async (route) => {
      const response = await route.fetch();
      const { paths, ...document } = (await response.json()) as { paths: Record<string, unknown> };
      const some = Object.fromEntries(['/v1/models', '/v1/chat/completions'].map((path) => [path, paths[path]]));
      await route.fulfill({ response, json: { ...document, paths: some } });
    });
    for (const path of ['/docs', '/docs/']) {
      await page.goto(`${gateway.address}${path}`);
      await page.locator('.opblock-tag').first().click();
      await page.locator('.opblock-summary-control').first().click();
      await page.locator('.opblock-body .responses-wrapper').first().waitFor();
    }
    assertQuiet();
    const isRun = await page.evaluate<boolean>(
      `(() => { const one = document.createElement('script'); one.textContent = 'window.smuggled = true'; document.body.append(one); return window.smuggled === true; })()`,
    );
    assert.equal(isRun, false, 'an inline script was run');
    await close();
  } finally {
    await browser.close();
  }
});
