// A new provider is its folder and one line (contract-2 9): two toys are written into a scratch folder, made known by the
// registry's own function, and used through the operator API and the public entries. The second one makes videos and has
// all that the vendors of alpha and beta do not: forms, polls with a body, a handle, codes that overrule statuses, no cancel.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Channel } from '#contract/channels.ts';
import type { Provider as Listed } from '#contract/providers.ts';
import type { Provider } from '../server/src/providers/provider.ts';
import { register } from '../server/src/providers/registry.ts';
import { balanceOf } from './support/money.ts';
import { sendJson } from './support/stub.ts';
import { call, POLL_MS, submit, submitted, taskOf, untilStatus } from './support/videos.ts';
import { waitUntil } from './support/wait.ts';
import { makeWorld, suiteGateway, type World } from './support/world.ts';

const source = (path: string): string => JSON.stringify(new URL(`../server/src/${path}`, import.meta.url).href);

const CHAT = `
import { openaiCompatible } from ${source('providers/openai-compatible/provider.ts')};
const { mayLack: _, look: __, otherTests: ___, ...rest } = openaiCompatible;
export const toy = {
  ...rest,
  name: 'toy-chat',
  facts: { ...rest.facts, label: 'Toy chat', presets: [{ vendor: 'Toys', baseUrl: 'https://toys.example/v9' }] },
  paths: { chat: '/talk' },
};`;

const VIDEO = `
import { openaiCompatible } from ${source('providers/openai-compatible/provider.ts')};
import { formBody, jsonBody } from ${source('providers/video-body.ts')};
const read = (body) => { try { return JSON.parse(body.toString()); } catch { return {}; } };
const readComplaint = (body) => ({ message: read(body).msg, code: read(body).code?.toString(), param: undefined });
const statuses = { 1102: 402, 1203: 400, 1404: 404 };
// How a key is sent is as of any other kind with a bearer key.
const { name: _, facts: __, paths: ___, test: ____, mayLack: _____, otherTests: ______, look: _______, ...how } = openaiCompatible;
export const toy = {
  ...how,
  name: 'toy-video',
  facts: {
    label: 'Toy video', about: 'Toys', baseUrl: { example: 'https://toys.example', hint: 'The host' },
    key: { hint: 'A key' }, units: [], presets: [],
  },
  paths: {},
  endpointTypes: ['compat-video'],
  test: { look: '/', readComplaint, isAnswer: () => true },
  video: {
    units: ['second', 'reported'],
    linksDieSoon: true,
    plan: ({ prompt, image }, model) => ({
      body: formBody({ model, prompt }),
      estimate: { by: 'time', milliseconds: 5000, resolution: '720P' },
      sent: { kind: image === undefined ? 'text' : 'image' },
      seconds: 5, size: undefined, dropped: [],
    }),
    submit: ({ body, sent }) => ({ method: 'POST', path: '/' + sent.kind + '2video', headers: { 'x-toy': 'yes' }, body }),
    readSubmitted: (body) => read(body).data?.id,
    handleOf: ({ upstreamId, sent, body }) => ({ id: upstreamId, kind: String(sent.kind), at: read(body ?? '').data?.region ?? '' }),
    readRefusal: (body) => statuses[read(body).code],
    readComplaint,
    poll: ({ id, kind, at }) => ({ method: 'POST', path: '/' + kind + '/query', body: jsonBody({ id, at }) }),
    readTask(body) {
      const { state, url, units } = read(body).data ?? {};
      if (state === undefined) return undefined;
      return {
        status: state, progress: 50, videoUrl: url, failReason: undefined, failCode: undefined,
        reported: units === undefined ? {} : { units }, isUnknown: false,
      };
    },
    charged: (_sent, { units }, unit) =>
      unit === 'reported' && units !== undefined
        ? { usage: { by: 'reported', units: String(units) }, source: 'upstream' }
        : { usage: { by: 'time', milliseconds: 5000, resolution: '720P' }, source: 'estimated' },
  },
};`;

const started = await suiteGateway({
  settings: { TOLLGATE_TASK_POLL_MS: POLL_MS, TOLLGATE_PRIVATE_HOSTS: '127.0.0.1' },
});
const gateway = (): typeof started => started;
const folder = mkdtempSync(join(tmpdir(), 'tollgate-provider-'));

before(async () => {
  for (const [name, text] of Object.entries({ chat: CHAT, video: VIDEO })) {
    const file = join(folder, `${name}.ts`);
    writeFileSync(file, text);
    const { toy } = (await import(pathToFileURL(file).href)) as { toy: Provider };
    register(toy);
  }
});
after(() => rmSync(folder, { recursive: true, force: true }));

interface Seen {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A vendor that answers as the test says; a path that is not named is 404. */
async function startVendor(
  t: TestContext,
  answer: (seen: Seen, response: ServerResponse) => void,
): Promise<{ origin: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString();
      const one = { path: `${request.method} ${request.url}`, headers: request.headers, body };
      seen.push(one);
      answer(one, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const SECONDS = { unit: 'second', amount: '1' } as const;

async function makeToyWorld(
  t: TestContext,
  poll: (seen: Seen) => object,
  price: object = SECONDS,
): Promise<World & { seen: Seen[]; origin: string; submit: { status: number; answer: object } }> {
  const script = { status: 200, answer: { code: 0, data: { id: 'v1', region: 'eu' } } as object };
  const { origin, seen } = await startVendor(t, (one, response) => {
    if (one.path.endsWith('2video')) sendJson(response, script.status, script.answer);
    else if (one.path.endsWith('/query')) sendJson(response, 200, poll(one));
    else if (one.path === 'GET /v.mp4') response.writeHead(200, { 'content-type': 'video/mp4' }).end('bytes');
    else response.writeHead(404).end();
  });
  const model = { price: price as typeof SECONDS };
  const world = await makeWorld(gateway(), t, { model, channels: [{ provider: 'toy-video', base_url: origin }] });
  return { ...world, seen, origin, submit: script };
}

test('a kind that is registered is listed, can have channels and is called (contract-2 9)', async (t) => {
  const { origin, seen } = await startVendor(t, (_seen, response) =>
    sendJson(response, 200, {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
  );
  const { data } = await gateway().operator<{ data: Listed[] }>('GET', '/providers');
  const listed = data.find(({ name }) => name === 'toy-chat');
  assert.deepEqual(listed?.presets, [
    { vendor: 'Toys', base_url: 'https://toys.example/v9', speaks: null, drop_fields: [], note: null },
  ]);
  const world = await makeWorld(gateway(), t, { channels: [{ provider: 'toy-chat', base_url: origin }] });
  const answer = await call(world, 'POST', '/v1/chat/completions', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: world.model, messages: [{ role: 'user', content: 'hi' }] }),
  });
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /hello/);
  assert.deepEqual([seen[0]?.path, seen[0]?.headers.authorization], ['POST /talk', 'Bearer upstream-key-0001']);
});

test('a form is submitted, a handle is kept and polls are posted with it; the video is archived at once (contract-2 9)', async (t) => {
  let state = 'in_progress';
  const world = await makeToyWorld(t, () => ({ data: { state, url: `${world.origin}/v.mp4` } }));
  const id = await submitted(world, { image: 'https://m.test/1.png' });
  await untilStatus(world, id, 'IN_PROGRESS', 10_000);
  state = 'succeeded';
  await untilStatus(world, id, 'SUCCESS', 10_000);
  const [sent] = world.seen;
  assert.deepEqual([sent?.path, sent?.headers['x-toy']], ['POST /image2video', 'yes']);
  assert.match(sent?.headers['content-type'] ?? '', /^multipart\/form-data; boundary=/);
  assert.match(sent?.body ?? '', /name="prompt"\r\n\r\na cat on a bicycle\r\n/);
  const poll = world.seen.find(({ path }) => path === 'POST /image/query');
  assert.deepEqual(JSON.parse(poll?.body ?? '{}'), { id: 'v1', at: 'eu' });
  assert.equal(await balanceOf(world.gateway, world.account.id), '95');
  await waitUntil(async () => (await taskOf(world, id)).archived, 'the video is not archived');
});

test('what the vendor reports is charged where the price says so (contract-2 9)', async (t) => {
  const price = { unit: 'reported', amount: '0.5', hold: '9' };
  const world = await makeToyWorld(
    t,
    () => ({ data: { state: 'succeeded', url: `${world.origin}/v.mp4`, units: 3 } }),
    price,
  );
  await untilStatus(world, await submitted(world), 'SUCCESS', 10_000);
  assert.equal(await balanceOf(world.gateway, world.account.id), '98.5');
});

test('a success without a video is a failure with a refund (contract-2 9)', async (t) => {
  const world = await makeToyWorld(t, () => ({ data: { state: 'succeeded' } }));
  const id = await submitted(world);
  await untilStatus(world, id, 'FAILURE', 30_000);
  assert.equal((await taskOf(world, id)).error_code, 'no_video');
  assert.equal(await balanceOf(world.gateway, world.account.id), '100');
});

for (const [status, code, wanted] of [
  [429, 1203, 400],
  [200, 1203, 400],
  [429, 1102, 502],
  [200, 1102, 502],
] as const)
  test(`a code in the body goes before the status (contract-2 9): ${code} with ${status}`, async (t) => {
    const world = await makeToyWorld(t, () => ({}));
    world.submit.status = status;
    world.submit.answer = { code, msg: 'no' };
    assert.equal((await submit(world)).status, wanted);
    assert.equal(await balanceOf(world.gateway, world.account.id), '100');
  });

test('a vendor that cannot cancel is not asked to; the task is removed all the same (contract-2 9)', async (t) => {
  const world = await makeToyWorld(t, () => ({ data: { state: 'in_progress' } }));
  const id = await submitted(world);
  assert.equal((await call(world, 'DELETE', `/v1/videos/${id}`)).status, 200);
  assert.ok(world.seen.every(({ path }) => /2video$|\/query$/.test(path)));
  assert.equal(await balanceOf(world.gateway, world.account.id), '100');
});

test('a kind that nobody registered is refused by name (contract-2 9)', async () => {
  const body = { name: 'no-such-kind', provider: 'nobody', base_url: 'https://x.example' };
  await assert.rejects(gateway().operator<Channel>('POST', '/channels', body), /provider.*must be one of openai/s);
});
