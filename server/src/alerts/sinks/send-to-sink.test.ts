import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { GuardedClient } from '../../providers/guarded/guarded-client.ts';
import { makeSecretBox } from '../../shared/secret-box.ts';
import type { AlertSinkRow } from '../../store/queries/alert-sinks.ts';
import { makeDelivery } from '../alert-event.ts';
import { NOW, sinkRow } from '../testing/alert-rows.ts';
import { Mailer } from './mailer.ts';
import { sendToSink } from './send-to-sink.ts';

const secretBox = makeSecretBox('master secret of the tests');
const ALERT = {
  id: 'alr_1',
  rule: 'channel_down',
  severity: 'critical',
  subject_kind: 'channel',
  subject: 'a',
  title: 'Channel <A> & B is down',
  detail: 'no connection',
  opened_at: 1_760_000_000,
  updated_at: NOW,
  resolved_at: null,
} as const;
const DELIVERY = makeDelivery({ sinkId: 'snk', event: 'opened', alert: ALERT, now: NOW * 1000 });
const TEXT = [
  '[Tollgate] Open: Channel <A> & B is down',
  'no connection',
  'Rule: Channel down (channel_down), critical',
  'Opened: 2025-10-09 08:53:20 UTC',
  'https://gateway.example/console/alerts',
];

interface Received {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

async function receiver(t: TestContext, answer: string): Promise<{ base: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body });
      response.end(answer);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

function send(t: TestContext, sink: Partial<AlertSinkRow>, { privateHosts = ['127.0.0.1'], smtpUrl = '' } = {}) {
  const guarded = new GuardedClient({ privateHosts });
  t.after(() => guarded.close());
  const mailer = new Mailer(smtpUrl === '' ? undefined : smtpUrl);
  const dependencies = { guarded, secretBox, mailer, publicUrl: 'https://gateway.example' };
  return sendToSink(dependencies, sinkRow({ id: 'snk', ...sink }), DELIVERY, { at: NOW });
}

test('webhook: the event, signed as standardwebhooks.com says (contract-2 10)', async (t) => {
  const { base, received } = await receiver(t, '');
  const sink = { url: secretBox.seal(`${base}/hook`), secret: secretBox.seal('whsec_c2VjcmV0') };
  assert.deepEqual(await send(t, sink), { status: 200, error: null });
  const none: Received = { path: '', headers: {}, body: '' };
  const { headers, body } = received[0] ?? none;
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  assert.equal(headers['webhook-signature'], `v1,${createHmac('sha256', 'secret').update(signed).digest('base64')}`);
  assert.equal(headers['webhook-id'], DELIVERY.id);
  const event = JSON.parse(body) as Record<string, unknown>;
  const { updated_at: _, ...data } = ALERT;
  const shown = { object: 'event', type: 'alert.opened', created_at: NOW, data: { ...data, state: 'open' } };
  assert.deepEqual(event, { id: DELIVERY.id.replace('msg', 'evt'), ...shown });
});

test('a private address is called only where TOLLGATE_PRIVATE_HOSTS names it (contract-2 10)', async (t) => {
  const { base, received } = await receiver(t, '');
  const sink = { url: secretBox.seal(base), secret: secretBox.seal('whsec_c2VjcmV0') };
  const refused = { status: null, error: 'the address may not be called' };
  assert.deepEqual(await send(t, sink, { privateHosts: [] }), refused);
  assert.deepEqual(received, []);
});

test('slack: text, with its control characters escaped', async (t) => {
  const { base, received } = await receiver(t, 'ok');
  assert.equal((await send(t, { kind: 'slack', url: secretBox.seal(base) })).error, null);
  const [subject = '', ...lines] = TEXT;
  const escaped = subject.replace('<A> & B', '&lt;A&gt; &amp; B');
  assert.deepEqual(JSON.parse(received[0]?.body ?? ''), { text: `*${escaped}*\n${lines.join('\n')}` });
});

test('feishu: text, signed where there is a secret; a code in its answer is a failure', async (t) => {
  const good = await receiver(t, '{"code":0,"msg":"success"}');
  const sink = { kind: 'feishu', url: secretBox.seal(good.base), secret: secretBox.seal('sec') } as const;
  assert.equal((await send(t, sink)).error, null);
  const sign = createHmac('sha256', `${NOW}\nsec`).digest('base64');
  const content = { text: TEXT.join('\n') };
  const expected = { timestamp: String(NOW), sign, msg_type: 'text', content };
  assert.deepEqual(JSON.parse(good.received[0]?.body ?? ''), expected);
  const bad = await receiver(t, '{"code":19021,"msg":"sign match fail"}');
  const { status, error } = await send(t, { kind: 'feishu', url: secretBox.seal(bad.base) });
  assert.deepEqual([status, error], [200, 'refused with code 19021: sign match fail']);
  assert.deepEqual(JSON.parse(bad.received[0]?.body ?? ''), { msg_type: 'text', content });
});

test('dingtalk: text, signed in the address; a code in its answer is a failure', async (t) => {
  const good = await receiver(t, '{"errcode":0,"errmsg":"ok"}');
  const url = `${good.base}/robot/send?access_token=tok`;
  const sink = { kind: 'dingtalk', url: secretBox.seal(url), secret: secretBox.seal('SECx') } as const;
  assert.equal((await send(t, sink)).error, null);
  const timestamp = NOW * 1000;
  const sign = createHmac('sha256', 'SECx').update(`${timestamp}\nSECx`).digest('base64');
  const query = new URL(good.received[0]?.path ?? '', good.base).searchParams;
  assert.deepEqual(Object.fromEntries(query), { access_token: 'tok', timestamp: String(timestamp), sign });
  const text = { content: TEXT.join('\n') };
  assert.deepEqual(JSON.parse(good.received[0]?.body ?? ''), { msgtype: 'text', text });
  const bad = await receiver(t, '{"errcode":310000,"errmsg":"keywords not in content"}');
  const { error } = await send(t, { kind: 'dingtalk', url: secretBox.seal(bad.base) });
  assert.equal(error, 'refused with code 310000: keywords not in content');
});

test('mail: through a real SMTP server, with the same message id each time (contract-2 10)', async (t) => {
  const mails: { from: string; to: string[]; text: string }[] = [];
  let isRefusing = false;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'user' && password === 'p@ss' ? done(null, { user: 'user' }) : done(new Error('wrong password')),
    onRcptTo: (_address, _session, done) =>
      done(isRefusing ? Object.assign(new Error('mailbox full'), { responseCode: 452 }) : null),
    onData(stream, { envelope }, done) {
      let text = '';
      stream.on('data', (chunk) => (text += String(chunk)));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  t.after(() => server.close());
  const { port } = server.server.address() as AddressInfo;
  const smtpUrl = `smtp://user:p%40ss@127.0.0.1:${port}?from=alerts@gateway.example`;
  const sink = { kind: 'mail', recipients: '["ops@example.com","boss@example.com"]' } as const;
  assert.deepEqual(await send(t, sink, { smtpUrl }), { status: 250, error: null });
  await send(t, sink, { smtpUrl });
  const [first, second] = mails;
  assert.deepEqual([first?.from, first?.to], ['alerts@gateway.example', ['ops@example.com', 'boss@example.com']]);
  for (const line of TEXT.slice(1)) assert.ok(first?.text.includes(line), line);
  assert.match(first?.text ?? '', /^Subject: \[Tollgate\] Open: Channel <A> & B is down\r$/m);
  const idOf = (text = '') => /^Message-ID: (.+)\r$/im.exec(text)?.[1];
  assert.deepEqual([idOf(first?.text), idOf(second?.text)], Array(2).fill(`<${DELIVERY.id}@tollgate>`));
  await send(t, { ...sink, language: 'zh' }, { smtpUrl });
  const subject = /^Subject: ((?:.|\r\n )+)\r$/m.exec(mails[2]?.text ?? '')?.[1] ?? '';
  assert.equal(decodeWords(subject), '[Tollgate] 告警：渠道 <A> & B 不可用');
  isRefusing = true;
  const { status, error } = await send(t, sink, { smtpUrl });
  assert.equal(status, 452);
  assert.match(error ?? '', /mailbox full/);
  const wrong = await send(t, sink, { smtpUrl: smtpUrl.replace('p%40ss', 'no') });
  assert.match(wrong.error ?? '', /Invalid login/);
  assert.deepEqual(await send(t, sink), { status: null, error: 'TOLLGATE_SMTP_URL is not set' });
});

/** Words of a mail's head that are not ASCII: RFC 2047. */
function decodeWords(head: string): string {
  return head.replace(/\?=\s+=\?/g, '?==?').replace(/=\?UTF-8\?(B|Q)\?([^?]*)\?=/g, (_, kind: string, text: string) =>
    kind === 'B'
      ? Buffer.from(text, 'base64').toString('utf8')
      : Buffer.from(
          text
            .replaceAll('_', ' ')
            .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16))),
          'latin1',
        ).toString('utf8'),
  );
}

test('a chat is notified in the language of its sink; words of upstreams stay (issue 34 point 10)', async (t) => {
  const { base, received } = await receiver(t, '{"code":0}');
  await send(t, { kind: 'feishu', url: secretBox.seal(base), language: 'zh' });
  const { content } = JSON.parse(received[0]?.body ?? '{}') as { content: { text: string } };
  assert.deepEqual(content.text.split('\n'), [
    '[Tollgate] 告警：渠道 <A> & B 不可用',
    'no connection',
    '规则：渠道不可用（channel_down），严重',
    '触发时间：2025-10-09 08:53:20 UTC',
    'https://gateway.example/console/alerts',
  ]);
});
