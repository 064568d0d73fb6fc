// An upstream that repeats our key or a secret header in what it answers, an operator who reads a channel, a reader of the
// database or of the container's output: none of them learns a secret.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test, type TestContext } from 'node:test';
import pg from 'pg';
import type { Channel } from '#contract/channels.ts';
import { postChat } from '../support/chat.ts';
import { NO_DATABASE_SERVER, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { assertMoneyAddsUp } from '../support/money.ts';
import { startProcess } from '../support/process.ts';
import { startVideoStub } from '../support/video-stub.ts';
import { waitUntil } from '../support/wait.ts';
import { makeWorld, suiteGateway, uniqueName, type World } from '../support/world.ts';

const KEY = 'sk-up/stream+0123456789abcdef=';
const HEADER = 'team-credential-0815-abcdef-4711';
const SECRETS = [KEY, HEADER, JSON.stringify(KEY).replaceAll('/', '\\/').slice(1, -1), encodeURIComponent(KEY)];

/** Everything that a database holds, as text. */
async function dump({ databaseUrl, dataFolder }: TestGateway): Promise<string> {
  if (databaseUrl === undefined)
    return readdirSync(dataFolder)
      .filter((name) => statSync(join(dataFolder, name)).isFile())
      .map((name) => readFileSync(join(dataFolder, name), 'latin1'))
      .join('\n');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const tables = await client.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  let all = '';
  for (const { name } of tables.rows) all += JSON.stringify((await client.query(`select * from "${name}"`)).rows);
  await client.end();
  return all;
}

function assertClean(text: string, where: string): void {
  for (const secret of SECRETS) assert.ok(!text.includes(secret), `${secret} is in ${where}: ${text.slice(0, 500)}`);
}

type Answer = (response: ServerResponse) => void;

/** An upstream whose next answer is what the test says. */
async function startEcho(): Promise<{ server: Server; baseUrl: string; say(answer: Answer): void }> {
  let next: Answer = (response) => response.end();
  const server = createServer((request, response) => {
    request.resume().once('end', () => next(response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { server, baseUrl, say: (answer) => (next = answer) };
}

/** As writers do that escape every slash. */
const escaped = (body: unknown): string => JSON.stringify(body).replaceAll('/', '\\/');

const json =
  (body: unknown, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(escaped(body));

const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 };

const chatAnswer = (content: string): unknown => ({
  id: 'c1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage,
});

function chatEvents(content: string): string {
  const chunk = (delta: object, finish_reason: string | null, extra: object = {}): string =>
    `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }], ...extra })}\n\n`;
  return `${chunk({ role: 'assistant', content }, null)}${chunk({}, 'stop')}data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', choices: [], usage })}\n\ndata: [DONE]\n\n`;
}

/** In pieces of this size, each in a packet of its own. */
function inPieces(text: string, size: number, contentType = 'text/event-stream'): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': contentType });
    const bytes = Buffer.from(text, 'latin1');
    let position = 0;
    const send = (): void => {
      if (position >= bytes.length) return void response.end();
      response.write(bytes.subarray(position, (position += size)));
      setImmediate(send);
    };
    send();
  };
}

describe('an upstream that answers with our own secrets (contract 4, promise A-03)', async () => {
  const gateway = await suiteGateway({ settings: { LOG_LEVEL: 'trace', TOLLGATE_TASK_POLL_MS: '50' } });
  const echo = await startEcho();
  after(() => {
    echo.server.close();
    echo.server.closeAllConnections();
  });
  const saying = `the key is ${KEY}, in a link ?key=${SECRETS[3]}, and ${HEADER}.`;
  const channel = { keys: [KEY], headers: { 'x-team': HEADER } };

  const read = async (world: World, path: string, body: object, headers = {}): Promise<string> => {
    const response = await postChat(world, JSON.stringify({ model: world.model, ...body }), { path, headers });
    return `${response.status} ${JSON.stringify([...response.headers])} ${Buffer.from(await response.arrayBuffer()).toString('latin1')}`;
  };

  test('gives none away in whole answers of any endpoint, nor in the bodies that are kept of them', async (t) => {
    const world = await makeWorld(gateway, t, {
      channels: [{ ...channel, base_url: `${echo.baseUrl}/v1` }],
      token: { options: { store_bodies: 'all' } as never },
    });
    const messages = [{ role: 'user', content: 'hello' }];
    /** It was answered, with stars where the secrets were. */
    const assertMasked = async (path: string, body: object, headers = {}): Promise<void> => {
      const answer = await read(world, path, body, headers);
      assert.match(answer, /^200 .*the key is \*+, in a link \?key=\*+, and \*+\./, path);
      assertClean(answer, path);
    };
    const version = { 'anthropic-version': '2023-06-01' };
    echo.say(json(chatAnswer(saying)));
    await assertMasked('/v1/chat/completions', { messages });
    await assertMasked('/v1/messages', { messages, max_tokens: 9 }, version);
    echo.say(
      json({
        id: 'resp_1',
        object: 'response',
        status: 'completed',
        output: [
          {
            type: 'message',
            id: 'm',
            role: 'assistant',
            content: [{ type: 'output_text', text: saying, annotations: [] }],
          },
        ],
        usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
      }),
    );
    await assertMasked('/v1/responses', { input: 'x' });
    echo.say(json({ object: 'list', data: [{ object: 'embedding', index: 0, embedding: [1] }], note: saying, usage }));
    await assertMasked('/v1/embeddings', { input: 'x' });
    const type = `application/json; note="${KEY}"`;
    for (const times of [1, 2]) {
      echo.say((response) => {
        response.setHeader('content-type', Array<string>(times).fill(type));
        response.end(JSON.stringify(chatAnswer('hello')));
      });
      const answer = await read(world, '/v1/chat/completions', { messages });
      assert.match(answer, /^200 .*note=\\"\*+\\"/, `written ${times} times`);
      assertClean(answer, 'a content type');
    }
    // The last of them is held against the key.
    for (const status of [400, 404, 422, 500, 401]) {
      echo.say(json({ error: { message: saying, code: KEY, param: HEADER, type: 'x' } }, status));
      const answer = await read(world, '/v1/chat/completions', { messages });
      assert.ok(answer.startsWith(status < 500 && status !== 401 ? `${status} ` : '502 '), answer);
      assertClean(answer, `an error of ${status}`);
    }
    const logged = await gateway.operator<{ data: { id: string }[] }>(
      'GET',
      `/requests?account_id=${world.account.id}`,
    );
    for (const { id } of logged.data)
      assertClean(JSON.stringify(await gateway.operator('GET', `/requests/${id}`)), 'the request log');
    echo.say(json(chatAnswer(saying)));
    const tested = await gateway.operator('POST', `/channels/${world.channels[0]?.id}/test`, { model: world.model });
    assertClean(JSON.stringify(tested), 'the test of a channel');
    assertClean(gateway.logLines.join(''), 'the logs');
  });

  test('gives none away in a stream, wherever the pieces are cut, and every other byte arrives', async (t) => {
    const world = await makeWorld(gateway, t, {
      channels: [{ ...channel, base_url: `${echo.baseUrl}/v1` }],
      credit: '1000',
    });
    const events = chatEvents(`${saying} sk-up/stream+01 sk-up/sk-up/stream+0123456789abcde.`);
    const body = {
      messages: [{ role: 'user', content: 'hello' }],
      stream: true,
      stream_options: { include_usage: true },
    };
    const whole: Set<string> = new Set();
    for (const size of [1, 2, 3, 5, 7, 11, 13, 29, 30, 31, 64, 1000, 100_000]) {
      echo.say(inPieces(events, size));
      const got = (await read(world, '/v1/chat/completions', body)).replace(/^200 \[.*?\]\] /, '');
      assertClean(got, `a stream in pieces of ${size}`);
      whole.add(got);
    }
    assert.equal(whole.size, 1, 'the answer does not depend on where it was cut');
    const [got = ''] = whole;
    assert.equal(got.length, events.length);
    assert.match(got, /\. sk-up\/stream\+01 sk-up\/sk-up\/stream\+0123456789abcde\./, 'what only looks like it stays');
    assert.match(got, /data: \[DONE\]\n\n$/);
  });

  test('gives none away in bytes that are passed on as they come', async (t) => {
    const world = await makeWorld(gateway, t, {
      channels: [{ ...channel, base_url: `${echo.baseUrl}/v1` }],
      model: { price: { unit: 'characters', amount: '15' } },
    });
    for (const size of [7, 4096]) {
      echo.say(inPieces(`\xff\xfb${saying}\x00`.repeat(9), size, 'audio/mpeg'));
      assertClean(await read(world, '/v1/audio/speech', { input: 'hello', voice: 'alloy' }), 'speech');
    }
  });

  test('gives none away in tasks and their links', async (t) => {
    const stub = await startVideoStub();
    t.after(() => stub.stop());
    const world = await makeWorld(gateway, t, {
      model: { price: { unit: 'video_tokens', generate: '7', video_input: '4.3' } as never },
      channels: [{ ...channel, provider: 'beta-video', base_url: stub.baseUrl }],
    });
    stub.failure = saying;
    for (const [script, link] of [
      ['failed', undefined],
      ['succeeded', `https://files.example/video.mp4?key=${encodeURIComponent(KEY)}&team=${HEADER}`],
    ] as const) {
      stub.script = [script];
      stub.link = link;
      const made = await postChat(world, JSON.stringify({ model: world.model, prompt: 'a cat' }), {
        path: '/v1/video/generations',
      });
      const { task_id: id } = JSON.parse(await made.text()) as { task_id: string };
      let shown = '';
      await waitUntil(async () => {
        const headers = { authorization: `Bearer ${world.key}` };
        const wrapper = await (await fetch(`${gateway.address}/v1/video/generations/${id}`, { headers })).text();
        shown = wrapper + (await (await fetch(`${gateway.address}/v1/videos/${id}`, { headers })).text());
        return /SUCCESS|FAILURE/.test(wrapper);
      }, 'the task does not end');
      assertClean(shown, `a task that ${script}`);
      assertClean(
        JSON.stringify(await gateway.operator('GET', `/tasks/${id}`)),
        `the operator's view of a task that ${script}`,
      );
    }
    assertClean(gateway.logLines.join(''), 'the logs');
    assertClean(await dump(gateway), 'the database');
  });
});

for (const postgres of [false, true]) {
  const skip = postgres ? NO_DATABASE_SERVER : false;
  describe(`headers of channels on ${postgres ? 'PostgreSQL' : 'SQLite'} (contract-2 10)`, { skip }, async () => {
    if (skip !== false) return;
    const gateway = await suiteGateway({ postgres });

    test('are sealed, and read back as names with hints', async (t) => {
      const world = await makeWorld(gateway, t, {
        channels: [{ headers: { 'X-Team': HEADER, 'x-short': 'abc' } }],
      });
      const id = world.channels[0]?.id;
      const hints = { 'X-Team': 'tea...4711', 'x-short': '...' };
      const get = async (): Promise<Channel> => gateway.operator<Channel>('GET', `/channels/${id}`);
      assert.deepEqual(world.channels[0]?.headers, hints);
      assert.deepEqual((await get()).headers, hints);
      const sent = async (): Promise<Record<string, unknown>> => {
        await (
          await postChat(world, JSON.stringify({ model: world.model, messages: [{ role: 'user', content: 'x' }] }))
        ).text();
        const headers = world.calls().at(-1)?.headers ?? {};
        return { team: headers['x-team'], short: headers['x-short'] };
      };
      assert.deepEqual(await sent(), { team: HEADER, short: 'abc' });

      // A hint that comes back keeps the value it stands for: the console sends what it read.
      await gateway.operator('PATCH', `/channels/${id}`, { headers: { ...hints, 'x-short': 'other' } });
      assert.deepEqual(await sent(), { team: HEADER, short: 'other' });
      await gateway.operator('PATCH', `/channels/${id}`, { headers: { 'X-Team': 'tea...4711' } });
      assert.deepEqual(await sent(), { team: HEADER, short: undefined });
      await assert.rejects(
        gateway.operator('PATCH', `/channels/${id}`, { headers: { 'x-renamed': 'tea...4711' } }),
        /400.*x-renamed/,
      );

      const audit = JSON.stringify(await gateway.operator('GET', '/audit?limit=200'));
      assert.match(audit, /tea\.\.\.4711/);
      assertClean(audit, 'the audit log');
      assertClean(await dump(gateway), 'the database');
    });

    test('a change that leaves the hint as it was is in the audit log', async (t) => {
      const world = await makeWorld(gateway, t, { channels: [{ headers: { 'x-short': 'abc' } }] });
      const id = world.channels[0]?.id;
      await gateway.operator('PATCH', `/channels/${id}`, { headers: { 'x-short': 'xyz' } });
      const { data } = await gateway.operator<{ data: { action: string; resource_id: string }[] }>(
        'GET',
        '/audit?limit=200',
      );
      const actions = data.filter((one) => one.resource_id === id).map(({ action }) => action);
      assert.deepEqual(actions.sort(), ['channel.change', 'channel.create']);
    });
  });
}

test('headers that an earlier version stored in the clear are sealed at the next start (contract-2 10)', async () => {
  const first = await startTestGateway();
  const noContext = { after() {} } as unknown as TestContext; // its gateway is gone before the test ends
  const world = await makeWorld(first, noContext, { channels: [{}] });
  const { DatabaseSync } = await import('node:sqlite');
  const file = 'tollgate.db';
  await first.running.stop(2_000);
  const database = new DatabaseSync(join(first.dataFolder, file));
  database
    .prepare('update channels set headers = ? where id = ?')
    .run(JSON.stringify({ 'x-team': HEADER }), world.channels[0]?.id ?? '');
  database.close();
  const second = await startTestGateway({
    settings: { TOLLGATE_DATA_DIR: first.dataFolder },
    upstream: first.upstream,
  });
  try {
    assertClean(await dump({ ...second, dataFolder: first.dataFolder }), 'the database');
    const again = await second.operator<Channel>('GET', `/channels/${world.channels[0]?.id}`);
    assert.deepEqual(again.headers, { 'x-team': 'tea...4711' });
    const answer = await postChat(
      { ...world, gateway: second },
      JSON.stringify({ model: world.model, messages: [{ role: 'user', content: 'x' }] }),
    );
    assert.equal(answer.status, 200, await answer.text());
    assert.equal(world.calls().at(-1)?.headers['x-team'], HEADER);
    await assertMoneyAddsUp(second, world.account.id);
  } finally {
    await second.stop();
    await first.upstream.stop();
    rmSync(first.dataFolder, { recursive: true, force: true });
  }
});

describe('the first start (contract-2 10)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-first-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const workers of ['1', '2'])
    test(`with TOLLGATE_FIRST_START=file tells its secrets to a file alone (${workers} workers)`, async (t) => {
      const data = join(folder, uniqueName('data'));
      const settings = { TOLLGATE_DATA_DIR: data, TOLLGATE_FIRST_START: 'file', TOLLGATE_WORKERS: workers };
      const started = await startProcess(settings);
      t.after(() => started.stop('SIGKILL'));
      const file = join(data, 'first-start.txt');
      const written = readFileSync(file, 'utf8');
      assert.equal(statSync(file).mode & 0o777, 0o600);
      const password = /Password +(\S+)/.exec(written)?.[1] ?? '';
      const token = /Demo token +(\S+)/.exec(written)?.[1] ?? '';
      assert.match(password, /^\w{20}$/);
      assert.match(token, /^sk-\w{40,}$/);
      const { stdout, stderr } = started.output();
      assert.match(stdout, /first-start\.txt/);
      for (const secret of [password, token]) assert.ok(!(stdout + stderr).includes(secret));
      const models = await fetch(`${started.address}/v1/models`, { headers: { authorization: `Bearer ${token}` } });
      assert.equal(models.status, 200);
      assert.equal(await started.stop(), 0);
    });

  test('prints them by default, and makes no file', async (t) => {
    const data = join(folder, uniqueName('data'));
    const started = await startProcess({ TOLLGATE_DATA_DIR: data });
    t.after(() => started.stop('SIGKILL'));
    assert.match(started.printed.password ?? '', /^\w{20}$/);
    assert.equal(existsSync(join(data, 'first-start.txt')), false);
  });
});
