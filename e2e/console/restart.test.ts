// The gateway restarts under an open page: nobody sees a white page, and the page goes on by itself (issue 34 point 1).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startGateway } from '../../server/src/gateway.ts';
import { readConfig } from '../../server/src/start/config.ts';
import { makeLogger } from '../../server/src/telemetry/logger.ts';
import { launchBrowser } from '../support/browser.ts';
import { OPERATOR_KEY, startTestGateway } from '../support/gateway.ts';
import { openSignedIn, PASSWORD } from './support/console.ts';

test('a page that is opened while the gateway restarts waits, says so, and is shown when it is back', async (t) => {
  const settings = { TOLLGATE_OPERATOR_PASSWORD: PASSWORD, TOLLGATE_SECRET: 'a secret that outlives the restart' };
  const gateway = await startTestGateway({ settings });
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const { page, visit, close } = await openSignedIn(browser, gateway);
  await visit('/accounts');
  await page.waitForLoadState('networkidle');

  const { port } = new URL(gateway.address);
  await gateway.running.stop(2_000);
  // The part of this page was never loaded, and cannot be now.
  await page.getByRole('link', { name: 'Groups' }).click();
  await page.getByText('The gateway does not answer').first().waitFor();

  const config = readConfig({
    ...settings,
    PORT: port,
    TOLLGATE_DATA_DIR: gateway.dataFolder,
    TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
    LOG_LEVEL: 'silent',
  });
  const again = await startGateway(config, makeLogger(config.logLevel, { write: () => {} }).logger);
  t.after(() => again.stop(2_000));
  assert.equal(again.address, gateway.address);
  await page.getByRole('heading', { level: 1, name: 'Groups' }).waitFor();
  await page.getByRole('cell', { name: 'default' }).first().waitFor();
  await page.getByText('The gateway does not answer').first().waitFor({ state: 'detached' });
  await close();
  await gateway.upstream.stop();
});
