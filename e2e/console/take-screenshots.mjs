// `npm run screenshots`: pictures of every page of the console, light and dark, into docs/images. Starts a gateway of its own
// with the sandbox, fills it with a day of traffic, and looks at it with a real browser.
import { mkdirSync } from 'node:fs';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway } from '../support/gateway.ts';
import { fillGateway } from './support/fill-gateway.ts';
import { addHistory } from './support/add-history.ts';
import { PASSWORD, signIn } from './support/console.ts';
import { pagesOf } from './support/pages.ts';

const TARGET = process.argv[2] ?? 'docs/images';
const SIZE = { width: 1360, height: 900 };

mkdirSync(TARGET, { recursive: true });
const gateway = await startTestGateway({ settings: { TOLLGATE_OPERATOR_PASSWORD: PASSWORD, LOG_LEVEL: 'silent' } });
const browser = await launchBrowser();
try {
  const filled = await fillGateway(gateway);
  addHistory(gateway, filled);
  for (const colorScheme of ['light', 'dark']) {
    const context = await browser.newContext({
      viewport: SIZE,
      colorScheme,
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
    });
    const page = await context.newPage();
    const shoot = (name) => page.screenshot({ path: `${TARGET}/console-${name}-${colorScheme}.png` });
    await page.goto(`${gateway.address}/console/`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await shoot('sign-in');
    await signIn(page);
    for (const { name, path, prepare } of pagesOf(filled)) {
      await page.goto(`${gateway.address}/console${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      await prepare?.(page);
      await page.waitForTimeout(300);
      await shoot(name);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    for (const { name, path } of pagesOf(filled).filter((one) =>
      ['overview', 'requests', 'token'].includes(one.name),
    )) {
      await page.goto(`${gateway.address}/console${path}`);
      await page.waitForLoadState('networkidle');
      await page.waitForTimeout(300);
      await shoot(`${name}-phone`);
    }
    await context.close();
  }
} finally {
  await browser.close();
  await gateway.stop();
}
console.error(`tollgate: pictures are in ${TARGET}`);
