// An alert from its sinks to its end, and what a member does and cannot do, by keys alone, in English on light and in Chinese on dark
// pages (issue 34). A real SMTP server and a webhook of the test receive what is sent.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { SMTPServer } from 'smtp-server';
import type { Account } from '#contract/accounts.ts';
import { alertTextsInChinese } from '#contract/alert-texts.ts';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitUntil } from '../support/wait.ts';
import { PASSWORD } from './support/console.ts';
import { fillGateway, type Filled } from './support/fill-gateway.ts';
import { memberHand, operatorHand, PEOPLE } from './support/keys.ts';
import { callAs, join, MEMBER_PASSWORD } from './support/portal.ts';

const ANSWER = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

let gateway: TestGateway;
let browser: Browser;
let filled: Filled;
let other: Account;
let receiver: Server;
interface Heard {
  /** Path of the webhook, or who got the mail. */
  to: string;
  /** The title of the alert: other channels of the gateway have alerts of their own. */
  title: string;
  type: string;
}
const hooks: Heard[] = [];
const mails: Pick<Heard, 'to' | 'title'>[] = [];

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, { envelope }, done) {
    let text = '';
    stream.on('data', (chunk) => (text += String(chunk)));
    stream.on('end', () => {
      mails.push({ to: envelope.rcptTo.map(({ address }) => address).join(), title: subjectOf(text) });
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
      const { type, data } = JSON.parse(body) as { type: string; data: { title: string } };
      hooks.push({ to: request.url ?? '', title: data.title, type });
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
  filled = await fillGateway(gateway);
  const { data } = await gateway.operator<{ data: Account[] }>('GET', '/accounts');
  other = data.find(({ name }) => name === 'Harbour Labs') ?? assert.fail('no other account');
});

after(async () => {
  await browser.close();
  await gateway.stop();
  shut(receiver);
  smtp.close();
});

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

function shut(server: Server): void {
  server.close();
  server.closeAllConnections();
}

async function call(model: string): Promise<number> {
  const answer = await fetch(`${gateway.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${filled.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

for (const person of PEOPLE) {
  const { language } = person;

  test(`${person.name}: an alert is opened, sent to mail and a webhook, and resolved once (issue 34, contract-2 10)`, async (t) => {
    const upstream = await upstreamAt(0);
    t.after(() => shut(upstream));
    const port = portOf(upstream);
    const [channel, model, mail, path] = [
      `north-${language}`,
      `orion-${language}`,
      `ops-${language}@example.com`,
      `/${language}`,
    ];
    await gateway.operator('PUT', `/models/${model}`, { price: { unit: 'request', amount: '0.01' } });
    await gateway.operator('POST', '/channels', {
      name: channel,
      provider: 'openai',
      base_url: `http://127.0.0.1:${port}/v1`,
      keys: ['sk-1'],
      models: { [model]: 'm' },
    });
    assert.equal(await call(model), 200);

    const hand = await operatorHand(browser, gateway, person);
    const { page, say } = hand;
    await hand.visit('/');
    await hand.find(say('Alerts'), new RegExp(`^${say('Alerts')}`));
    await hand.heading(say('Alerts'));
    await hand.enter('button', say('Add sink'));
    await hand.write(say('Name'), `mail-${language}`);
    await hand.choose(say('Kind'), say('Mail'));
    await hand.go('combobox', say('Recipients'));
    await page.keyboard.type(mail);
    await hand.press('Enter');
    await hand.look();
    await hand.enter('button', say('Save'));
    await page.getByRole('cell', { name: mail }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await hand.enter('button', say('Add sink'), { key: 'Shift+Tab' });
    await hand.write(say('Name'), `hook-${language}`);
    await hand.write(say('Address'), `http://127.0.0.1:${portOf(receiver)}${path}`);
    await hand.press('Enter');
    await hand.enter('button', say('I have saved it'));
    for (const name of [`mail-${language}`, `hook-${language}`]) {
      await hand.enter('button', say('Test {name}', { name }));
      await page.getByText(say('{name} took the test', { name })).waitFor();
    }

    const typesHere = () =>
      hooks.filter(({ to, title }) => to === path && title.includes(channel)).map(({ type }) => type);
    const mailsHere = () => mails.filter(({ to, title }) => to === mail && title.includes(channel)).length;
    await waitUntil(() => mails.some(({ to }) => to === mail), 'the test did not reach the mailbox');
    assert.ok(hooks.some(({ to, type }) => to === path && type === 'alert.test'));
    shut(upstream);
    assert.equal(await call(model), 502);
    const title = language === 'en' ? `Channel ${channel} is down` : chineseTitle(channel);
    await page.getByRole('link', { name: title }).first().waitFor();
    await waitUntil(() => typesHere().length === 1 && mailsHere() === 1, 'the sinks heard nothing', 60_000);
    await hand.look();
    const repaired = await upstreamAt(port);
    t.after(() => shut(repaired));
    // Nobody calls it: the gateway finds out by itself.
    await waitUntil(() => typesHere().length === 2 && mailsHere() === 2, 'the sinks did not hear of the end', 120_000);
    assert.deepEqual(typesHere(), ['alert.opened', 'alert.resolved']);
    await hand.visit('/alerts?state=resolved');
    await page.getByRole('link', { name: title }).first().waitFor();
    await hand.enter('button', say('Log of {name}', { name: `hook-${language}` }));
    await page.getByRole('dialog').getByText(say('resolved')).first().waitFor();
    await hand.look();
    await hand.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await hand.close();
    for (const { id } of (await gateway.operator<{ data: { id: string }[] }>('GET', '/alerts/sinks')).data)
      await gateway.operator('DELETE', `/alerts/sinks/${id}`);
  });

  test(`${person.name}: a member makes a token, and gets nothing of another account by address or API (issue 34)`, async () => {
    const email = `sam-${language}@harbour.example`;
    const member = await join(gateway, other, { email, role: 'owner' });
    const hand = await memberHand(browser, gateway, { person });
    const { page, say } = hand;
    await hand.visit('/');
    await hand.heading(say('Sign in'));
    await hand.write(say('E-mail address'), email);
    await hand.write(say('Password'), MEMBER_PASSWORD);
    await hand.press('Enter');
    await hand.heading('Harbour Labs');
    await hand.look();
    await hand.enter('link', say('Tokens'));
    await hand.heading(say('Tokens'));
    await hand.enter('button', say('Create token'));
    await hand.write(say('Name'), `by-keys-${language}`);
    await hand.press('Enter');
    await hand.enter('button', say('I have saved it'));
    await page.getByText(`by-keys-${language}`).waitFor();
    assert.equal(await page.getByText('reports service').count(), 0);

    const { request, videos, token } = filled;
    for (const path of [`/requests/${request.id}`, `/tasks/${videos.done.id}`]) {
      await page.goto(`${gateway.address}/portal${path}`);
      await page.getByRole('alert').waitFor();
      assert.doesNotMatch((await page.locator('main').textContent()) ?? '', /orion|alpha|Northwind/);
      await hand.look();
      const { status, text } = await callAs(member, `${gateway.address}/portal/v1${path}`);
      assert.equal(status, 404, text);
    }
    await hand.visit(`/requests?token_id=${token.id}`);
    await page.getByText(say('No requests here')).waitFor();

    // The menu at the side, which is loaded when the focus comes to it.
    await hand.go('button', new RegExp(email));
    await hand.press('Enter');
    const out = page.getByRole('menuitem', { name: say('Sign out') });
    await out.waitFor();
    await hand.look();
    while ((await out.and(page.locator(':focus')).count()) === 0) await hand.press('ArrowDown');
    await hand.press('Enter');
    await hand.heading(say('Sign in'));
    await hand.close();
  });
}

function chineseTitle(name: string): string {
  return (alertTextsInChinese['Channel {name} is down'] ?? assert.fail('no Chinese')).replace('{name}', name);
}

/** RFC 2047: a subject that is not ASCII comes as encoded words. */
function subjectOf(mail: string): string {
  const subject = /^Subject: (.+(?:\r\n[ \t].+)*)/m.exec(mail)?.[1] ?? '';
  return subject
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString()
        : decodeURIComponent(text.replaceAll('%', '%25').replaceAll('_', ' ').replaceAll('=', '%')),
    );
}
