// What a person does wrong on the command line: each gets one sentence that says what to do, never a stack (contract-2 11).
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { OPERATOR_KEY, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { makeWorld, type World } from '../support/world.ts';
import { type CliResult, runCli } from './run-cli.ts';

let gateway: TestGateway;
const folder = mkdtempSync(join(tmpdir(), 'tollgate-refusals-'));

before(async () => {
  gateway = await startTestGateway();
});
after(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = (args: string[], more: Record<string, string> = {}): Promise<CliResult> =>
  runCli(args, { TOLLGATE_URL: gateway.address, TOLLGATE_OPERATOR_KEY: OPERATOR_KEY, ...more }, { cwd: folder });

async function refused(result: Promise<CliResult>, words: RegExp, code = 1): Promise<void> {
  const { code: ended, err } = await result;
  assert.equal(ended, code, err);
  assert.match(err, words);
  assert.doesNotMatch(err, /^ {4}at |node:internal/m);
}

/** Something at an address that is no gateway. */
async function listen(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

test('an address or a key that is none is named with its setting (contract-2 11)', async (t) => {
  for (const TOLLGATE_URL of ['not-a-url', 'localhost:8080', 'ftp://x'])
    await refused(run(['accounts', 'list'], { TOLLGATE_URL }), /TOLLGATE_URL is ".*": it must be an address/);
  await refused(
    run(['accounts', 'list'], { TOLLGATE_OPERATOR_KEY: 'clé – x' }),
    /TOLLGATE_OPERATOR_KEY has characters/,
  );
  await refused(
    run(['accounts', 'list'], { TOLLGATE_OPERATOR_KEY: 'wrong-key' }),
    /401: .*Check TOLLGATE_OPERATOR_KEY/,
  );
  await refused(run(['usage'], { TOLLGATE_TOKEN: 'sk-wrong' }), /401: .*Check TOLLGATE_TOKEN/);
  const page = await listen(t, (_, response) => response.setHeader('content-type', 'text/html').end('<p>hello'));
  await refused(run(['accounts', 'list'], { TOLLGATE_URL: page }), /is no gateway \(text\/html/);
  const broken = await listen(t, (_, response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway'),
  );
  await refused(run(['accounts', 'list'], { TOLLGATE_URL: broken }), /502: a web page, no answer of a gateway/);
  const elsewhere = await listen(t, (_, response) => response.writeHead(301, { location: gateway.address }).end());
  await refused(
    run(['accounts', 'create', '--name', 'x'], { TOLLGATE_URL: elsewhere }),
    /redirects to .*Set TOLLGATE_URL/,
  );
});

test('a stream that is cut off is said to be (contract-2 11)', async (t) => {
  const cut = await listen(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"choices":[{"delta":{"content":"Half"}}]}\n\n', () => response.destroy());
  });
  const settings = { TOLLGATE_URL: cut, TOLLGATE_TOKEN: 'sk-x' };
  await refused(run(['chat', '--model', 'm', 'x'], settings), /the connection ended before the answer did/);
});

test('options that cannot be right are 2, before anything is called (contract-2 11)', async () => {
  const nobody = { TOLLGATE_URL: 'http://127.0.0.1:9', TOLLGATE_TOKEN: 'sk-x' };
  await refused(run(['chat', '--model', 'm', '--max-tokens', 'many', 'x'], nobody), /whole number above 0/, 2);
  await refused(run(['quote', '--model', 'm', '--body', '{bad'], nobody), /must be a JSON object/, 2);
  await refused(run(['quote', '--model', 'm'], nobody), /give a text, or --body/, 2);
  await refused(run(['video', '--model', 'm'], nobody), /missing required argument/, 2);
  await refused(run(['video', 'a lighthouse'], nobody), /'--model <model>' not specified/, 2);
});

test('a file that cannot be written is refused before the call is paid for (contract-2 11)', async (t) => {
  const { key, model } = await makeWorld(gateway, t);
  const logged = async (): Promise<number> =>
    (await gateway.operator<{ data: unknown[] }>('GET', `/requests?model=${model}`)).data.length;
  mkdirSync(join(folder, 'a-folder'), { recursive: true });
  for (const command of ['image', 'speak', 'video'])
    for (const [output, words] of [
      ['no-folder/a.bin', /there is no folder .*no-folder/],
      ['a-folder', /a-folder is a folder/],
    ] as const)
      await refused(run([command, '--model', model, '-o', output, 'x'], { TOLLGATE_TOKEN: key }), words);
  await refused(run(['backup', 'no-folder/b.gz'], { TOLLGATE_DATA_DIR: gateway.dataFolder }), /there is no folder/);
  assert.equal(await logged(), 0);
});

test('a video that was begun is waited for again by its id (contract-2 11)', async (t) => {
  const world: World = await makeWorld(gateway, t);
  const begun = new Map<string, number>();
  const proxy = await listen(t, (request, response) => {
    const asked = begun.get(request.url ?? '') ?? 0;
    begun.set(request.url ?? '', asked + 1);
    response.setHeader('content-type', 'application/json');
    if (request.method === 'POST') return response.end('{"id":"task_1","status":"queued"}');
    if (request.url?.endsWith('/content') === true) {
      if (asked === 0) return response.writeHead(500).end('{"error":{"message":"no bytes now"}}');
      return response.setHeader('content-type', 'video/mp4').end('film');
    }
    if (asked === 0) return response.writeHead(503).end('{"error":{"message":"restarting"}}');
    return response.end('{"id":"task_1","status":"completed"}');
  });
  const settings = { TOLLGATE_URL: proxy, TOLLGATE_TOKEN: world.key };
  const first = run(['video', '--model', 'm', '-o', 'f.mp4', 'x'], settings);
  await refused(first, /no bytes now.*\nThe task goes on\. Fetch it with: tollgate video --task task_1 -o f\.mp4/);
  const again = await run(['video', '--task', 'task_1', '-o', 'f.mp4'], settings);
  assert.deepEqual([again.code, again.out], [0, 'f.mp4\n'], again.err);
});

test('a bad setting or a database that is away is one sentence in reconcile, backup and move (contract-2 11)', async () => {
  const away = { DATABASE_URL: 'postgres://u:hunter22@127.0.0.1:9/x', TOLLGATE_DATA_DIR: folder };
  for (const args of [['reconcile'], ['backup', 'b.gz']]) {
    await refused(run(args, { PORT: 'abc' }), /^tollgate: PORT must be a whole number/m);
    await refused(run(args, away), /ECONNREFUSED.*See that the database runs/);
    assert.doesNotMatch((await run(args, away)).err, /hunter22/);
  }
});

test('a model that is there is not replaced by create (contract-2 11)', async () => {
  const price = (input: string): string => JSON.stringify({ unit: 'tokens', input, output: '2' });
  assert.equal((await run(['models', 'create', 'there', '--price', price('1')])).code, 0);
  await refused(run(['models', 'create', 'there', '--price', price('9')]), /is there already.*models update there/);
  const { price: kept } = await gateway.operator<{ price: { input: string } }>('GET', '/models/there');
  assert.equal(kept.input, '1');
});

test('plan names what a file lacks: accounts, variables, everything (contract-2 11)', async () => {
  for (const [text, words] of [
    ['version: 1\nmodelz:\n  a: {}\n', /f\.yaml:2: "modelz"/],
    [
      'version: 1\ntokens:\n  app:\n    account: Nobody\n',
      /f\.yaml:4: "tokens\.app\.account": there is no account "Nobody"/,
    ],
    ['flags:\n  b: { enabled: true, accounts: [Nobody] }\n', /f\.yaml:2: "flags\.b\.accounts\.0": there is no account/],
    [
      'channels:\n  c:\n    provider: openai\n    base_url: https://x.example\n    keys: [env:NOT_SET]\n',
      /f\.yaml:5: "channels\.c\.keys\.0": env:NOT_SET: the variable NOT_SET is not set/,
    ],
    ['', /f\.yaml: the file is empty/],
    ['# all was commented out\n', /f\.yaml: the file is empty/],
    ['hello\n', /f\.yaml:1: the file must hold fields/],
  ] as const) {
    writeFileSync(join(folder, 'f.yaml'), text);
    await refused(run(['plan', '-f', 'f.yaml']), words);
    await refused(run(['apply', '-f', 'f.yaml', '--prune', '--yes']), words);
  }
});

test('export says which names stand for several, because a file knows only one of them (contract-2 11)', async () => {
  for (const name of ['first', 'second']) {
    const { id } = await gateway.operator<{ id: string }>('POST', '/accounts', { name });
    await gateway.operator('POST', '/tokens', { account_id: id, name: 'default' });
  }
  const { code, err } = await run(['export']);
  assert.equal(code, 0);
  assert.match(err, /^Several tokens "default": only one of them is in the file/m);
});
