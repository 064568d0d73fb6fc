// Alerts of a real gateway that is killed: what was opened is sent with the same id, and ends once.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Alert } from '#contract/alerts.ts';
import { chatBody } from './support/chat.ts';
import { callOperator, OPERATOR_KEY } from './support/gateway.ts';
import { startProcess } from './support/process.ts';
import { closedAddress } from './support/stub.ts';
import { waitUntil } from './support/wait.ts';

const ANSWER = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test('an alert survives kill -9: it is open once, sent with the same id, and resolved once (contract-2 10)', async (t) => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tollgate-alerts-'));
  const heard: { id: string; type: string; alert: string }[] = [];
  let isTaking = false;
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const { type, data } = JSON.parse(body) as { type: string; data: { id: string } };
      heard.push({ id: String(request.headers['webhook-id']), type, alert: data.id });
      response.writeHead(isTaking ? 204 : 503).end();
    });
  });
  const url = `http://127.0.0.1:${await listen(receiver)}/`;
  const upstream = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json').end(JSON.stringify(ANSWER));
  });
  const settings = {
    TOLLGATE_DATA_DIR: dataFolder,
    TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
    TOLLGATE_PRIVATE_HOSTS: '127.0.0.1',
  };
  let gateway = await startProcess(settings);
  t.after(async () => {
    await gateway.stop('SIGKILL');
    for (const server of [receiver, upstream]) {
      server.close();
      server.closeAllConnections();
    }
    rmSync(dataFolder, { recursive: true, force: true });
  });
  const operator = <T>(method: string, path: string, body?: unknown): Promise<T> =>
    callOperator(gateway.address, { method, path, ...(body !== undefined && { body }) });

  const base_url = await closedAddress();
  const { id: account_id } = await operator<{ id: string }>('POST', '/accounts', { name: 'Acme' });
  await operator('POST', `/accounts/${account_id}/credits`, { amount: '10' });
  await operator('PUT', '/models/m', { price: { unit: 'request', amount: '0.01' } });
  const channel = { name: 'north', provider: 'openai', base_url, keys: ['sk-1'], models: { m: 'm' } };
  await operator('POST', '/channels', channel);
  await operator('POST', '/alerts/sinks', { name: 'hook', kind: 'webhook', url, rules: ['channel_down'] });
  const { key } = await operator<{ key: string }>('POST', '/tokens', { account_id, name: 'app' });
  const failed = await fetch(`${gateway.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(chatBody('m', 'hello')),
  });
  assert.equal(failed.status, 502, await failed.text());

  await waitUntil(() => heard.length > 0, 'no alert was sent');
  await gateway.stop('SIGKILL');
  isTaking = true;
  const tried = heard.length;
  gateway = await startProcess(settings);
  await waitUntil(() => heard.length > tried, 'the alert was not sent again');
  const open = await operator<{ data: Alert[] }>('GET', '/alerts?rule=channel_down');
  assert.deepEqual(
    open.data.map(({ state }) => state),
    ['open'],
  );
  const text = await (
    await fetch(`${gateway.address}/metrics`, { headers: { authorization: `Bearer ${OPERATOR_KEY}` } })
  ).text();
  assert.match(text, /^tollgate_alerts_open\{rule="channel_down"\} 1$/m);

  await listen(upstream, Number(new URL(base_url).port));
  await waitUntil(() => heard.some(({ type }) => type === 'alert.resolved'), 'the alert was not resolved');
  const { data } = await operator<{ data: Alert[] }>('GET', '/alerts?rule=channel_down');
  assert.deepEqual(
    data.map(({ id, state }) => [id, state]),
    [[open.data[0]?.id, 'resolved']],
  );
  const ids = new Map(heard.map(({ id, type }) => [id, type]));
  assert.deepEqual([...ids.values()], ['alert.opened', 'alert.resolved'], 'each event has one id over all attempts');
  assert.deepEqual([...new Set(heard.map(({ alert }) => alert))], [open.data[0]?.id]);
});
