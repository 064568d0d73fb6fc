// Every kind of call from the playground, answered by the sandbox.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { wave } from '../support/media.ts';
import { openSignedIn, PASSWORD } from './support/console.ts';

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

test('text, picture, sound, vectors and ranks come back and are shown', async () => {
  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
  await visit('/playground');
  await page.getByRole('button', { name: 'Make a token for an hour' }).click();
  await page.getByText('Calls are made with').waitFor();
  const send = async (tab: string) => {
    await page.getByRole('tab', { name: tab }).click();
    if (tab === 'Transcription') {
      await page.locator('input[type=file]').setInputFiles({ name: 'a.wav', mimeType: 'audio/wav', buffer: wave(1) });
    }
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('link', { name: 'Route, usage and charge' }).waitFor();
  };
  await send('Chat');
  assert.notEqual(await page.getByTestId('answer').innerText(), '');
  await send('Image');
  await page.getByRole('img', { name: 'Result 1' }).waitFor();
  await page.waitForFunction(`document.querySelector('img[alt="Result 1"]').naturalWidth > 0`);
  await send('Speech');
  await page.locator('audio').waitFor();
  await send('Transcription');
  assert.notEqual(await page.getByTestId('answer').innerText(), '');
  await send('Embeddings');
  assert.match(await page.getByRole('region', { name: 'Answer', exact: true }).last().innerText(), /embedding/);
  await send('Rerank');
  assert.match(await page.getByRole('region', { name: 'Answer', exact: true }).last().innerText(), /relevance_score/);
  await page.getByRole('link', { name: 'Route, usage and charge' }).click();
  await page.getByText('/v1/rerank').waitFor();
  assertQuiet();
  await close();
});

test('what the gateway refuses is said in its own words, and can be tried again', async () => {
  const { page, visit, close } = await openSignedIn(browser, gateway);
  await page.route('**/operator/v1/models?**', (route) => route.fulfill({ status: 400, json: { error: {} } }));
  await visit('/playground');
  await page.getByText('That did not work').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('That did not work').waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Or paste a token' }).fill('sk-wrong');
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('That did not work').waitFor();
  await close();
});
