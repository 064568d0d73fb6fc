// A page of another origin uses the public API with a token that was pasted into it (contract-2 7): a real browser enforces
// what the headers say. A token whose `origins` do not list the page is refused.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { POLL_MS } from '../support/videos.ts';
import { makeAccount, makeToken, uniqueName } from '../support/world.ts';

/** What somebody might build: it knows the gateway's address and nothing else. */
const PAGE = (api: string): string => `<!doctype html><meta charset="utf-8"><title>Another site</title>
<input id="token" aria-label="Token"><button id="go">Go</button>
<ul id="models"></ul><p id="chat"></p><p id="state">idle</p><p id="problem"></p><video id="video" muted></video>
<script type="module">
const show = (id, text) => { document.getElementById(id).textContent = text; };
const call = async (path, init = {}) => {
  const headers = { authorization: 'Bearer ' + document.getElementById('token').value, ...init.headers };
  const response = await fetch('${api}' + path, { ...init, headers });
  if (!response.ok) throw new Error(response.status + ' ' + (await response.json()).error.code);
  if (response.headers.get('x-request-id') === null) throw new Error('the request id is hidden from the page');
  return response;
};
const post = (path, body) =>
  call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
document.getElementById('go').onclick = async () => {
  try {
    const { data } = await (await call('/v1/models')).json();
    document.getElementById('models').append(...data.map(({ id }) => Object.assign(document.createElement('li'), { textContent: id })));
    const stream = await post('/v1/chat/completions', { model: 'sandbox-chat', stream: true, messages: [{ role: 'user', content: 'Hello from a page' }] });
    let text = '', pieces = 0;
    for await (const chunk of stream.body.pipeThrough(new TextDecoderStream())) { text += chunk; pieces++; }
    const words = [...text.matchAll(/^data: (\\{.*)$/gm)].map(([, one]) => JSON.parse(one).choices[0]?.delta.content ?? '').join('');
    show('chat', words);
    let video = await (await post('/v1/videos', { model: 'alpha-1.1-t2v', prompt: 'a paper boat [[task-polls 1]]' })).json();
    while (video.status !== 'completed' && video.status !== 'failed') {
      await new Promise((resolve) => setTimeout(resolve, 100));
      video = await (await call('/v1/videos/' + video.id)).json();
    }
    const bytes = await (await call('/v1/videos/' + video.id + '/content')).blob();
    const element = document.getElementById('video');
    element.src = URL.createObjectURL(bytes);
    show('state', 'done ' + bytes.type + ' ' + bytes.size);
  } catch (error) {
    show('problem', String(error.message));
    show('state', 'failed');
  }
};
</script>`;

let gateway: TestGateway;
let browser: Browser;
let site: Server;
let origin: string;

before(async () => {
  gateway = await startTestGateway({ settings: { TOLLGATE_TASK_POLL_MS: POLL_MS } });
  browser = await launchBrowser();
  site = createServer((_request, reply) => {
    reply.writeHead(200, { 'content-type': 'text/html' });
    reply.end(PAGE(gateway.address));
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});

after(async () => {
  await browser.close();
  site.closeAllConnections();
  site.close();
  await gateway.stop();
});

async function keyWith(origins: string[]): Promise<string> {
  const account = await makeAccount(gateway, { name: uniqueName('page'), credit: '100' });
  return (await makeToken(gateway, { account_id: account.id, origins })).key;
}

async function useToken(key: string): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(180_000);
  await page.goto(origin);
  await page.getByLabel('Token').fill(key);
  await page.getByRole('button', { name: 'Go' }).click();
  await page.locator('#state', { hasText: /done|failed/ }).waitFor();
  return page;
}

test('lists models, streams a chat and plays a video, with any token and with one that lists it (contract-2 7)', async () => {
  for (const origins of [[], [origin]]) {
    const page = await useToken(await keyWith(origins));
    assert.equal(await page.locator('#problem').innerText(), '');
    assert.ok((await page.locator('#models li').allInnerTexts()).includes('alpha-1.1-t2v'));
    assert.notEqual(await page.locator('#chat').innerText(), '');
    assert.match(await page.locator('#state').innerText(), /^done video\/mp4 [1-9]\d+$/);
    const playable = await page.evaluate(
      `document.createElement('video').canPlayType('video/mp4; codecs="avc1.42E01E"')`,
    );
    // A browser without the codec says so of every such file.
    if (playable !== '') {
      await page.waitForFunction(`document.getElementById('video').readyState >= 1`);
      await page.evaluate(`document.getElementById('video').play()`);
      await page.waitForFunction(`document.getElementById('video').currentTime > 0`);
    }
    await page.close();
  }
});

test('is refused where the token lists other pages, and may read why (contract-2 7)', async () => {
  const page = await useToken(await keyWith(['https://app.example']));
  assert.equal(await page.locator('#problem').innerText(), '403 origin_not_allowed');
  assert.deepEqual(await page.locator('#models li').allInnerTexts(), []);
  assert.equal(await page.locator('#chat').innerText(), '');
  await page.close();
});
