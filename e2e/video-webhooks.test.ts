// Word of finished tasks: signed as standardwebhooks.com has it, sent again until it is heard, and only where it may go.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import type { Delivery } from '#contract/tasks.ts';
import { call, makeVideoWorld, POLL_MS, submit, submitted, untilStatus, type VideoWorld } from './support/videos.ts';
import { pause, waitUntil } from './support/wait.ts';
import { suiteGateway } from './support/world.ts';

const gateway = await suiteGateway({
  settings: { TOLLGATE_TASK_POLL_MS: POLL_MS, TOLLGATE_PRIVATE_HOSTS: '127.0.0.1' },
});

interface Heard {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

async function receiver(t: TestContext, statuses: number[] = []): Promise<{ url: string; heard: Heard[] }> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.once('end', () => {
      heard.push({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(statuses.shift() ?? 204, { location: '/elsewhere' }).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, heard };
}

async function putWebhook(
  { account }: VideoWorld,
  options: object,
): Promise<{ secret: string | null; created_at: number }> {
  return gateway.operator('PUT', `/accounts/${account.id}/webhook`, options);
}

async function setWebhook(world: VideoWorld, url: string | null): Promise<{ secret: string }> {
  const { secret } = await putWebhook(world, { url });
  assert.ok(secret !== null, 'a first webhook has a new secret');
  return { secret };
}

async function deliveriesOf(id: string): Promise<Delivery[]> {
  return (await gateway.operator<{ data: Delivery[] }>('GET', `/tasks/${id}/deliveries`)).data;
}

function assertSigned({ headers, body }: Heard, secret: string): void {
  const [id, at] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])];
  assert.match(id, /^msg_/);
  assert.ok(Math.abs(Number(at) - Date.now() / 1000) < 60);
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  assert.equal(key.length, 32);
  const expected = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
  assert.equal(headers['webhook-signature'], `v1,${expected}`);
}

test("the account's webhook hears of every end, signed with the secret that was shown once", async (t) => {
  const world = await makeVideoWorld(gateway, t);
  const { url, heard } = await receiver(t);
  const { secret } = await setWebhook(world, url);
  assert.equal('secret' in (await gateway.operator<object>('GET', `/accounts/${world.account.id}/webhook`)), false);

  const done = await submitted(world);
  await untilStatus(world, done, 'SUCCESS');
  await waitUntil(() => heard.length === 1, 'nobody heard of it');
  world.stub.script = ['failed'];
  const failed = await submitted(world);
  await waitUntil(() => heard.length === 2, 'nobody heard of the failure');

  const events = heard.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> });
  assert.deepEqual(
    events.map(({ type, data }) => [type, data['id'], data['status']]),
    [
      ['video.completed', done, 'SUCCESS'],
      ['video.failed', failed, 'FAILURE'],
    ],
  );
  for (const one of heard) assertSigned(one, secret);
  const [delivery] = await deliveriesOf(done);
  assert.deepEqual([delivery?.status, delivery?.attempts.map(({ status }) => status)], ['delivered', [204]]);
  await pause(300);
  assert.equal(heard.length, 2, 'what was heard is not said again');
});

test('a new address keeps the secret, and a new secret is made only when it is asked for', async (t) => {
  const world = await makeVideoWorld(gateway, t);
  const { url, heard } = await receiver(t);
  const { secret } = await setWebhook(world, 'https://example.com/before');
  assert.equal((await putWebhook(world, { url })).secret, null);
  await submitted(world);
  await waitUntil(() => heard.length === 1, 'nobody heard of it');
  const rotated = (await putWebhook(world, { rotate_secret: true })).secret ?? '';
  assert.match(rotated, /^whsec_/);
  assert.notEqual(rotated, secret);
  await submitted(world);
  await waitUntil(() => heard.length === 2, 'nobody heard of the second');
  for (const [index, key] of [secret, rotated].entries()) assertSigned(heard[index] as Heard, key);
});

test("an account's address that may not be called is refused, and one that it has not is no address", async (t) => {
  const world = await makeVideoWorld(gateway, t);
  for (const url of ['http://169.254.169.254/', 'http://[::1]/hook', 'https://user:pass@example.com/'])
    await assert.rejects(putWebhook(world, { url }), /400.*\\"url\\" cannot be called.*TOLLGATE_PRIVATE_HOSTS/);
  const read = (id: string): Promise<unknown> => gateway.operator('GET', `/accounts/${id}/webhook`);
  await assert.rejects(read(world.account.id), /404.*The account .* has no webhook/);
  await assert.rejects(read('acc_nobody'), /404.*There is no account/);
});

test('a receiver that fails is called again with the same id and body, and redirects are not followed', async (t) => {
  const world = await makeVideoWorld(gateway, t);
  const { url, heard } = await receiver(t, [500, 302, 200]);
  const { secret } = await setWebhook(world, null);
  const id = await submitted(world, { webhook_url: url });
  await waitUntil(() => heard.length === 3, 'it was not sent again');
  assert.equal(new Set(heard.map(({ headers, body }) => [headers['webhook-id'], body].join(' '))).size, 1);
  assert.deepEqual(new Set(heard.map(({ path }) => path)), new Set(['/hook']));
  for (const one of heard) assertSigned(one, secret);
  await waitUntil(async () => (await deliveriesOf(id))[0]?.status === 'delivered', 'the log does not say so');
  const [delivery] = await deliveriesOf(id);
  assert.deepEqual(
    delivery?.attempts.map(({ status }) => status),
    [500, 302, 200],
  );
  for (const task of world.stub.tasks.values()) assert.equal('webhook_url' in task.body, false, 'ours alone');
});

test('a name of an address that is not public is never called, and the log says why', async (t) => {
  const world = await makeVideoWorld(gateway, t);
  await setWebhook(world, null);
  const id = await submitted(world, { webhook_url: 'http://localhost:9/hook' });
  await waitUntil(async () => ((await deliveriesOf(id))[0]?.attempts.length ?? 0) > 0, 'no attempt was logged');
  const [delivery] = await deliveriesOf(id);
  assert.deepEqual(
    [delivery?.status, delivery?.attempts[0]?.status, delivery?.attempts[0]?.error],
    ['pending', null, 'the address may not be called'],
  );
});

test('a webhook_url that cannot be used is refused by name before anything is submitted', async (t) => {
  const world = await makeVideoWorld(gateway, t);
  const refused = async (webhook_url: unknown): Promise<string> => {
    const response = await submit(world, { webhook_url });
    const { error } = (await response.json()) as { error: { param: string; message: string } };
    assert.deepEqual([response.status, error.param], [400, 'webhook_url']);
    return error.message;
  };
  assert.match(await refused('https://example.com/hook'), /secret/);
  await setWebhook(world, null);
  for (const bad of ['not an address', 'ftp://example.com/', 'https://user:pass@example.com/', 7, {}])
    await refused(bad);
  assert.equal(
    await refused('http://169.254.169.254/latest/meta-data/'),
    "'webhook_url' cannot be called: not a public address.",
  );
  const long = (length: number): string => 'https://example.com/'.padEnd(length, 'x');
  assert.match(await refused(long(2_001)), /longer than 2000 characters/);
  assert.match(await refused(`https://example.com/${'\u6f22'.repeat(300)}`), /longer than 2000 characters/);
  assert.equal(world.stub.submits, 0);
  await submitted(world, { webhook_url: long(2_000) });
  assert.equal((await call(world, 'GET', '/v1/videos')).status, 200);
});
