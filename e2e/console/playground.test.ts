// Every kind of call from the playground, answered by the sandbox.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { wave } from '../support/media.ts';
import { violationsInBothThemes } from './support/axe.ts';
import { choose, openSignedIn, PASSWORD } from './support/console.ts';

/** One pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

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

test('several turns, a picture, settings, and two models side by side (issue 34 point 7)', async () => {
  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
  await visit('/playground');
  await page.getByRole('button', { name: 'Make a token for an hour' }).click();
  await page.getByText('Calls are made with').waitFor();
  const sent: { messages: { role: string; content: unknown }[]; temperature?: number; max_tokens?: number }[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/chat/completions')) sent.push(request.postDataJSON());
  });
  await page.getByRole('textbox', { name: 'Instructions (optional)' }).fill('be brief');
  await page.getByRole('textbox', { name: 'Temperature' }).fill('0.5');
  await page.getByRole('textbox', { name: 'Max output tokens' }).fill('50');
  await page.locator('input[type=file]').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: PICTURE });
  await page.getByText('dot.png').waitFor();
  const answers = page.getByTestId('answer');
  const facts = page.getByRole('link', { name: 'Route, usage and charge' });
  const send = async (text: string, expected: number) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
    await facts.nth(expected - 1).waitFor();
  };
  await send('first', 1);
  await send('second', 2);
  assert.equal(await answers.count(), 2);
  assert.deepEqual(
    [sent[0]?.temperature, sent[0]?.max_tokens, sent[1]?.messages.map(({ role }) => role)],
    [0.5, 50, ['system', 'user', 'assistant', 'user']],
  );
  assert.match(JSON.stringify(sent[0]?.messages[1]), /"image_url":\{"url":"data:image\/png;base64,/);
  await choose(page, 'Beside it (optional)', 'sandbox-chat');
  await send('third', 4);
  assert.equal(sent.length, 4);
  assert.equal(await page.getByRole('log', { name: 'Answer of the other model' }).getByTestId('answer').count(), 1);
  await choose(page, 'Client', 'claude-code');
  await page.getByText('ANTHROPIC_BASE_URL').first().waitFor();
  assert.deepEqual(await violationsInBothThemes(page, 'playground'), []);
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
