// The journey of an alert in a real browser: sinks are added and tested, a channel dies and is repaired, and a real SMTP
// server and a webhook hear of both, once.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { SMTPServer } from 'smtp-server';
import { waitUntil } from '../../server/src/testing/wait-until.ts';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { violationsInBothThemes } from './support/axe.ts';
import { choose, openSignedIn, PASSWORD } from './support/console.ts';

const ANSWER = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

interface Hook {
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

let gateway: TestGateway;
let browser: Browser;
let receiver: Server;
const hooks: Hook[] = [];
const mails: string[] = [];

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, _session, done) {
    let text = '';
    stream.on('data', (chunk) => (text += String(chunk)));
    stream.on('end', () => {
      mails.push(text);
      done();
    });
  },
});

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

before(async () => {
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      hooks.push({ headers: request.headers, body });
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  gateway = await startTestGateway({
    settings: {
      TOLLGATE_OPERATOR_PASSWORD: PASSWORD,
      TOLLGATE_SMTP_URL: `smtp://127.0.0.1:${portOf(smtp.server)}?from=alerts@gateway.example`,
      TOLLGATE_PRIVATE_HOSTS: '127.0.0.1',
    },
  });
  browser = await launchBrowser();
});

after(async () => {
  await browser.close();
  await gateway.stop();
  receiver.close();
  receiver.closeAllConnections();
  smtp.close();
});

const typesOfHooks = (): string[] => hooks.map(({ body }) => (JSON.parse(body) as { type: string }).type);
const subjects = (): string[] => mails.map((text) => /^Subject: (.+)\r$/m.exec(text)?.[1] ?? '');

/** An upstream that can be taken away and brought back at its address. */
async function upstreamAt(port: number): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    const models = { object: 'list', data: [{ id: 'm', object: 'model', created: 1, owned_by: 'x' }] };
    response.end(JSON.stringify(request.method === 'GET' ? models : ANSWER));
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function callerOf(port: number): Promise<() => Promise<number>> {
  const { operator, address } = gateway;
  const { id: account_id } = await operator<{ id: string }>('POST', '/accounts', { name: 'Acme' });
  await operator('POST', `/accounts/${account_id}/credits`, { amount: '10' });
  await operator('PUT', '/models/m', { price: { unit: 'request', amount: '0.01' } });
  const base_url = `http://127.0.0.1:${port}/v1`;
  const channel = { name: 'north', provider: 'openai', base_url, keys: ['sk-1'], models: { m: 'm' } };
  await operator('POST', '/channels', channel);
  const { key } = await operator<{ key: string }>('POST', '/tokens', { account_id, name: 'app' });
  return async () => {
    const answer = await fetch(`${address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
}

test('an alert is opened, sent to mail and a webhook, shown, and resolved once (issue 34, contract-2 10)', async () => {
  const upstream = await upstreamAt(0);
  const port = portOf(upstream);
  const call = await callerOf(port);
  assert.equal(await call(), 200);

  const { page, visit, assertQuiet, close } = await openSignedIn(browser, gateway);
  await visit('/alerts');
  await page.getByText('No alerts').waitFor();
  const addSink = async (name: string, kind: string): Promise<void> => {
    await page.getByRole('button', { name: 'Add sink' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await choose(page, 'Kind', kind);
  };
  await addSink('ops mail', 'Mail');
  await page
    .getByRole('textbox', { name: 'Recipients' })
    .or(page.getByRole('combobox', { name: 'Recipients' }))
    .fill('ops@example.com');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('cell', { name: 'ops@example.com' }).waitFor();
  await addSink('pager', 'Webhook');
  await page.getByRole('textbox', { name: 'Address' }).fill(`http://127.0.0.1:${portOf(receiver)}/hook`);
  await page.getByRole('button', { name: 'Save' }).click();
  const secret = await page.getByRole('textbox', { name: 'Key' }).inputValue();
  assert.match(secret, /^whsec_/);
  await page.getByRole('button', { name: 'I have saved it' }).click();

  for (const name of ['ops mail', 'pager']) {
    await page.getByRole('button', { name: `Test ${name}` }).click();
    await page.getByText(`${name} took the test`).waitFor();
  }
  assert.deepEqual([typesOfHooks(), subjects()], [['alert.test'], ['[Tollgate] Test: This is a test of the sink']]);

  upstream.close();
  upstream.closeAllConnections();
  assert.equal(await call(), 502);
  await page.getByRole('link', { name: 'Channel north is down' }).waitFor();
  await waitUntil(() => hooks.length === 2 && mails.length === 2, 'the sinks heard nothing');
  const row = page.getByRole('row').filter({ hasText: 'Channel north is down' });
  assert.match(await row.innerText(), /open[\s\S]*critical[\s\S]*Channel down/);
  await visit('/');
  await page
    .getByRole('region', { name: 'Needs attention' })
    .getByRole('link', { name: 'Channel north is down' })
    .waitFor();
  const openAlerts = await gateway.operator<{ data: { opened_at: number }[] }>(
    'GET',
    '/alerts?state=open&rule=channel_down',
  );
  assert.equal(openAlerts.data.length, 1);

  // Nobody calls it: the gateway finds out by itself.
  const repaired = await upstreamAt(port);
  await visit('/alerts?state=resolved');
  await page.getByRole('link', { name: 'Channel north is down' }).waitFor({ timeout: 300_000 });
  await waitUntil(() => hooks.length === 3 && mails.length === 3, 'the sinks did not hear of the end');
  assert.deepEqual(typesOfHooks(), ['alert.test', 'alert.opened', 'alert.resolved']);
  assert.deepEqual(subjects().slice(1), [
    '[Tollgate] Open: Channel north is down',
    '[Tollgate] Resolved: Channel north is down',
  ]);
  for (const { headers, body } of hooks) {
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    assert.equal(headers['webhook-signature'], `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  }
  const [opened, resolved] = hooks.slice(1).map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id);
  assert.equal(opened, resolved);

  await page.getByRole('button', { name: 'Log of pager' }).click();
  await page.getByRole('dialog').getByRole('cell', { name: 'resolved' }).waitFor();
  assert.equal(await page.getByRole('dialog').getByText('delivered', { exact: true }).count(), 3);
  assertQuiet();
  await close();
  repaired.close();
  repaired.closeAllConnections();
});

test('the page of alerts and its forms have no serious violation of accessibility, light and dark', async () => {
  const { page, visit, close } = await openSignedIn(browser, gateway);
  const faces: [string, string?][] = [
    ['alerts'],
    ['sink', 'Edit pager'],
    ['rule', 'Edit the rule Error rate'],
    ['log', 'Log of pager'],
  ];
  for (const [name, button] of faces) {
    await visit('/alerts');
    await page.getByRole('cell', { name: 'pager', exact: true }).waitFor();
    if (button !== undefined) {
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByRole('dialog').waitFor();
    }
    assert.deepEqual(await violationsInBothThemes(page, name), []);
  }
  await close();
});
