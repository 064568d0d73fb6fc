// Video in the console: a task is watched to its end and played, made in the playground, and missed when it is stuck.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { Account } from '#contract/accounts.ts';
import type { Token } from '#contract/tokens.ts';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitUntil } from '../support/wait.ts';
import { openConsole, openSignedIn, PASSWORD, signIn } from './support/console.ts';
import { submitVideo, untilEnded } from './support/fill-videos.ts';

let gateway: TestGateway;
let browser: Browser;
let account: Account;
let key: string;

before(async () => {
  const settings = { TOLLGATE_OPERATOR_PASSWORD: PASSWORD, TOLLGATE_TASK_POLL_MS: '200' };
  gateway = await startTestGateway({ settings });
  account = await gateway.operator<Account>('POST', '/accounts', { name: 'Film house' });
  await gateway.operator('POST', `/accounts/${account.id}/credits`, { amount: '100', note: null });
  ({ key } = await gateway.operator<Token & { key: string }>('POST', '/tokens', { account_id: account.id, name: 'x' }));
  browser = await launchBrowser();
});

after(async () => {
  await browser.close();
  await gateway.stop();
});

interface Player {
  readyState: number;
  duration: number;
  currentTime: number;
  muted: boolean;
  play(): Promise<void>;
}

/** Plays it. A browser that does not know H.264 has fetched the file then, and says that it cannot. */
async function assertPlayed(page: Page): Promise<'played' | 'unknown format'> {
  const knows = await page.evaluate<string>(
    `document.createElement('video').canPlayType('video/mp4; codecs="avc1.42E01E"')`,
  );
  if (knows === '') {
    await page.getByText('This browser cannot play the video here').waitFor();
    return 'unknown format';
  }
  const video = page.locator('video');
  await video.waitFor();
  const read = () =>
    video.evaluate((element) => {
      const player = element as unknown as Player;
      return { state: player.readyState, duration: player.duration, time: player.currentTime };
    });
  await waitUntil(async () => (await read()).state >= 1, 'the video has no metadata');
  assert.equal(Math.round((await read()).duration), 5, 'seconds');
  await video.evaluate((element) => {
    const player = element as unknown as Player;
    player.muted = true;
    return player.play();
  });
  await waitUntil(async () => (await read()).time > 0.3, 'the video does not play');
  return 'played';
}

test('a task is watched to its end, played and added up', async (t) => {
  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
  const id = await submitVideo(gateway, key, 'a lighthouse [[task-time 12000]]');
  await visit('/tasks');
  const row = page.getByRole('row').filter({ hasText: 'alpha-1.1-t2v' }).first();
  await row.getByText(/Submitted|Queued|Generating/).waitFor();
  await row.getByRole('link').click();
  await page.getByText(id).waitFor();
  await page.getByText('Not made yet').waitFor();
  const contents: { status: number; range: string | undefined; length: number }[] = [];
  page.on('response', (response) => {
    if (!response.url().endsWith(`/tasks/${id}/content`)) return;
    const length = Number(response.headers()['content-length']);
    contents.push({ status: response.status(), range: response.request().headers()['range'], length });
  });
  // Nobody touches the page: it moves by itself.
  await page.getByText('Generating').first().waitFor();
  await page.getByText('Succeeded').first().waitFor();
  t.diagnostic(`inline player: ${await assertPlayed(page)}`);
  const history = await page.getByRole('list', { name: 'State history' }).innerText();
  assert.match(history, /Submitted[^]*Generating[^]*Succeeded/);
  const { charge, arithmetic } = await untilEnded(gateway, id);
  assert.equal(charge, '1.246', '5 seconds at 0.14, times 1.78 for 1080P');
  await page.getByText(String(arithmetic)).waitFor();
  await page.getByText('1.246', { exact: true }).first().waitFor();
  await page.getByText('No webhook was called').waitFor();
  assert.ok(
    contents.some(({ status, length }) => [200, 206].includes(status) && length > 0),
    JSON.stringify(contents),
  );

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download the video' }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const file = Buffer.concat(chunks);
  assert.equal(file.subarray(4, 8).toString(), 'ftyp', 'an MP4');
  assert.ok(file.includes('moov') && file.includes('avc1'));
  assert.equal(download.suggestedFilename(), `${id}.mp4`);

  await page.getByRole('link', { name: 'View submit request' }).click();
  await page.waitForURL(/\/requests\//);
  await page.getByRole('link', { name: 'View video task' }).click();
  await page.getByRole('link', { name: 'View ledger entries' }).click();
  await page.waitForURL(/task_id=/);
  await page.getByRole('cell', { name: 'charge' }).waitFor();
  assert.equal(await page.getByRole('row').count(), 2, 'the charge with its hold, and the head');
  assertQuiet();
  await close();
});

test('operators get ranges of a video, strangers and the curious nothing', async () => {
  const id = await submitVideo(gateway, key, 'a bridge [[task-time 50]]');
  const path = `${gateway.address}/operator/v1/tasks/${id}/content`;
  const headers = { authorization: 'Bearer operator-key-of-the-tests' };
  const early = await fetch(path, { headers });
  assert.equal(early.status, 409);
  await untilEnded(gateway, id);
  const whole = Buffer.from(await (await fetch(path, { headers })).arrayBuffer());
  const part = await fetch(path, { headers: { ...headers, range: 'bytes=4-7' } });
  assert.deepEqual([part.status, await part.text()], [206, 'ftyp']);
  assert.equal(part.headers.get('content-range'), `bytes 4-7/${whole.length}`);
  assert.equal(part.headers.get('x-content-type-options'), 'nosniff');
  const head = await fetch(path, { method: 'HEAD', headers });
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(whole.length)]);
  assert.equal((await fetch(path)).status, 401);
  assert.equal((await fetch(path, { headers: { authorization: `Bearer ${key}` } })).status, 401);
});

test('the playground makes a video, with a bar that moves and code to take away', async (t) => {
  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
  await visit('/playground?kind=video');
  await page.getByRole('combobox', { name: 'Account that pays' }).click();
  await page.getByRole('option', { name: 'Film house' }).click();
  await page.getByRole('button', { name: 'Make a token for an hour' }).click();
  await page.getByText('Calls are made with').waitFor();
  await page.getByRole('textbox', { name: 'What to film' }).fill('a gate [[task-time 4000]]');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('progressbar', { name: 'Progress of the video' }).waitFor();
  await page.getByRole('link', { name: 'Route, usage and charge' }).waitFor();
  t.diagnostic(`playground's player: ${await assertPlayed(page)}`);
  assert.equal(
    await page.getByRole('progressbar', { name: 'Progress of the video' }).getAttribute('aria-valuenow'),
    '100',
  );
  assert.match(await page.getByRole('region', { name: 'This call as curl' }).innerText(), /v1\/videos\/\$id\/content/);
  await page.getByRole('tab', { name: 'Python' }).click();
  assert.match(await page.getByRole('region', { name: 'This call as Python' }).innerText(), /videos\.create/);

  await page.getByRole('textbox', { name: 'What to film' }).fill('a gate [[task-time 50]] [[task-blocked]]');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('That did not work').waitFor();
  await page.getByText('failed', { exact: true }).waitFor();
  assertQuiet();
  await close();
});

test('stuck tasks stand on the overview and lead to their list; webhooks are sent and shown', async () => {
  for (let count = 0; count < 2; count++) await submitVideo(gateway, key, 'lost [[lose-answer]]').catch(() => {});
  await gateway.operator('PUT', `/accounts/${account.id}/webhook`, { url: 'http://localhost:9/hook' });
  const id = await submitVideo(gateway, key, '<img src=x onerror=alert(1)> [[task-time 50]] [[task-fails]]');
  await untilEnded(gateway, id);
  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
  await visit('/');
  await page.getByRole('link', { name: '2 video tasks are stuck' }).click();
  await page.waitForURL(/stuck=true/);
  await page.getByText('stuck', { exact: true }).first().waitFor();
  assert.equal(await page.getByRole('row').count(), 3);
  await page.getByRole('row').nth(1).getByRole('link').click();
  await page.getByText('Whether the provider took it is not known').waitFor();
  await visit(`/tasks/${id}`);
  await page.getByText('No video was made').waitFor();
  await page.getByText('http://localhost:9/hook').waitFor();
  await page.getByText('pending').waitFor();
  assertQuiet();
  await close();
});

test('an account gets a webhook in the console, and its secret is shown once', async () => {
  const { page, visit, close } = await openSignedIn(browser, gateway);
  const { id } = await gateway.operator<Account>('POST', '/accounts', { name: 'Hooked' });
  await visit(`/accounts/${id}`);
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill('ftp://example.com');
  await page.getByRole('button', { name: 'Save and show the secret' }).click();
  await page.getByText('Invalid URL').waitFor();
  await page.getByRole('textbox', { name: 'Address' }).fill('https://example.com/hook');
  await page.getByRole('button', { name: 'Save and show the secret' }).click();
  const secret = await page.getByRole('textbox', { name: 'Key' }).inputValue();
  assert.match(secret, /^whsec_/);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByText('https://example.com/hook').waitFor();
  assert.equal(await page.getByText(secret).count(), 0);
  await page.getByRole('button', { name: 'New secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make a new secret' }).click();
  const other = await page.getByRole('textbox', { name: 'Key' }).inputValue();
  assert.match(other, /^whsec_/);
  assert.notEqual(other, secret);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByText('https://example.com/hook').waitFor();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Add webhook' }).waitFor();
  await close();
});

test('a viewer watches videos and changes nothing', async () => {
  await gateway.operator('POST', '/operators', { name: 'onlooker', password: PASSWORD, must_change_password: false });
  const id = await submitVideo(gateway, key, 'seen [[task-time 50]]');
  await untilEnded(gateway, id);
  const { page, visit, close } = await openConsole(browser, gateway);
  await visit(`/tasks/${id}`);
  await signIn(page, 'onlooker');
  await assertPlayed(page);
  await visit(`/accounts/${account.id}`);
  await page.getByText('http://localhost:9/hook').waitFor();
  assert.equal(await page.getByRole('button', { name: /webhook|Replace|secret|Remove/ }).count(), 0);
  await close();
});
