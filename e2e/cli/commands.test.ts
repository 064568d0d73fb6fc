// The command line against a running gateway (contract-2 11).
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { OPERATOR_KEY, SECRET, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { makeWorld } from '../support/world.ts';
import { type CliResult, json, runCli } from './run-cli.ts';

let gateway: TestGateway;
const folder = mkdtempSync(join(tmpdir(), 'tollgate-cli-'));

before(async () => {
  gateway = await startTestGateway();
});
after(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true, force: true });
});

const operator = (...args: string[]): Promise<CliResult> =>
  runCli(args, { TOLLGATE_URL: gateway.address, TOLLGATE_OPERATOR_KEY: OPERATOR_KEY });
const client = (key: string, ...args: string[]): Promise<CliResult> =>
  runCli(args, { TOLLGATE_URL: gateway.address, TOLLGATE_TOKEN: key }, { cwd: folder });

test('nouns are listed, shown, created, changed and disabled with their fields as options (contract-2 11)', async () => {
  const account = json(await operator('accounts', 'create', '--name', 'Acme', '--models', 'a,b*', '--json'));
  assert.deepEqual(account.models, ['a', 'b*']);
  const fields = ['--account-id', account.id, '--name', 'app', '--quota', '2.5', '--rate', '{"rpm":5}'];
  const token = json(await operator('tokens', 'create', ...fields, '--json'));
  assert.deepEqual([token.quota, token.rate.rpm], ['2.5', 5]);
  assert.match(token.key, /^sk-/);
  const changed = json(
    await operator('tokens', 'update', token.id, '--quota', 'null', '--expires-at', '2000000000', '--json'),
  );
  assert.deepEqual([changed.quota, changed.expires_at], [null, 2_000_000_000]);
  assert.equal(json(await operator('tokens', 'disable', token.id, '--json')).status, 'disabled');
  const list = json(await operator('tokens', 'list', '--account-id', account.id, '--json'));
  assert.deepEqual(
    list.data.map((one: { id: string }) => one.id),
    [token.id],
  );
  const table = await operator('tokens', 'list', '--account-id', account.id);
  assert.match(table.out, /^ID +NAME +ACCOUNT_ID/);
  assert.ok(table.out.includes(token.id));
  const shown = (await operator('accounts', 'show', account.id)).out;
  assert.match(shown, /^name +Acme$/m);
  assert.match(shown, /^budget_start +\d{4}-\d\d-\d\dT/m);
  assert.match((await operator('tokens', 'show', token.id)).out, /^period_start +\d{4}-\d\d-\d\dT/m);
  assert.equal(typeof json(await operator('accounts', 'show', account.id, '--json')).budget_start, 'number');
  const dated = ['--expires-at', '2033-05-18T03:33:20Z', '--json'];
  assert.equal(json(await operator('tokens', 'update', token.id, ...dated)).expires_at, 2_000_000_000);

  const price = '{"unit":"tokens","input":"1","output":"2"}';
  assert.equal(json(await operator('models', 'create', 'cli/m:1', '--price', price, '--json')).price.input, '1');
  assert.equal(json(await operator('models', 'update', 'cli/m:1', '--owned-by', 'me', '--json')).price.input, '1');
  const disabled = json(await operator('models', 'disable', 'cli/m:1', '--json'));
  assert.deepEqual([disabled.enabled, disabled.owned_by], [false, 'me']);
  assert.match((await operator('models', 'show', 'cli/m:1')).out, /^created +\d{4}-\d\d-\d\dT/m);
  const nothing = await operator('models', 'update', 'cli/m:1');
  assert.deepEqual([nothing.code, nothing.err], [1, 'tollgate: nothing to change: give at least one field.\n']);
});

test('exit codes: 1 for what is refused, 2 for wrong use (contract-2 11)', async () => {
  const refused = await operator('accounts', 'show', 'acc_none');
  assert.deepEqual([refused.code, refused.out], [1, '']);
  assert.match(refused.err, /^tollgate: 404: .*not_found/);
  for (const args of [
    ['frob'],
    ['tokens', 'list', '--nonsense', 'x'],
    ['chat', 'hi'],
    ['tokens', 'create', '--rate', '{'],
    ['tokens', 'create', '--name', 'without an account'],
  ])
    assert.equal((await operator(...args)).code, 2, args.join(' '));
  assert.equal((await operator('tokens', 'create', '--help')).code, 0);
  const without = await runCli(['accounts', 'list'], { TOLLGATE_URL: gateway.address });
  assert.deepEqual([without.code, without.err], [1, 'tollgate: set TOLLGATE_OPERATOR_KEY to an operator key.\n']);
  const nobody = await runCli(['usage'], { TOLLGATE_URL: 'http://127.0.0.1:9', TOLLGATE_TOKEN: 'sk-x' });
  assert.equal(nobody.code, 1);
  assert.match(nobody.err, /no gateway answers at http:\/\/127\.0\.0\.1:9/);
});

test('a reader that closes the pipe early, as head does, is no error', async () => {
  const environment = { TOLLGATE_URL: gateway.address, TOLLGATE_OPERATOR_KEY: OPERATOR_KEY };
  const { code, err } = await runCli(['models', 'list'], environment, { closeOutput: true });
  assert.deepEqual([code, err], [0, '']);
});

test('a client chats, embeds, asks for quotes and its usage (contract-2 11)', async (t) => {
  const { key, model } = await makeWorld(gateway, t);
  const streamed = await client(key, 'chat', '--model', model, 'Hello', 'there');
  assert.equal(streamed.code, 0, streamed.err);
  assert.ok(streamed.out.length > 3 && streamed.out.endsWith('\n'));
  const whole = json(await client(key, 'chat', '--model', model, 'Hello', '--json'));
  assert.equal(typeof whole.choices[0].message.content, 'string');
  assert.match((await client(key, 'embed', '--model', model, 'a', 'b')).out, /^\d+ numbers: .*\n\d+ numbers: /);
  assert.ok(Number(json(await client(key, 'quote', '--model', model, 'Hello', '--json')).amount ?? 1) > 0);
  const usage = json(await client(key, 'usage', '--json'));
  assert.equal(usage.object, 'usage');
  const unknown = await client(key, 'chat', '--model', 'no-such-model', 'x');
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /model_not_found/);
});

test('pictures, speech, transcripts and videos are files (contract-2 11)', async (t) => {
  const tollgate = await startTestGateway({ settings: { TOLLGATE_TASK_POLL_MS: '50' } });
  t.after(() => tollgate.stop());
  const account = await tollgate.operator<{ id: string }>('POST', '/accounts', { name: 'media' });
  await tollgate.operator('POST', `/accounts/${account.id}/credits`, { amount: '100', note: 'test' });
  const { key } = await tollgate.operator<{ key: string }>('POST', '/tokens', { account_id: account.id, name: 'm' });
  const { data } = await tollgate.operator<{ data: { id: string; endpoint_types: string[] }[] }>(
    'GET',
    '/models?limit=200',
  );
  const modelFor = (type: string): string => data.find((one) => one.endpoint_types.includes(type))?.id ?? `no ${type}`;
  const run = (...args: string[]) =>
    runCli(args, { TOLLGATE_URL: tollgate.address, TOLLGATE_TOKEN: key }, { cwd: folder });
  const image = await run('image', '--model', modelFor('image-generation'), 'A lighthouse', '-o', 'a.png');
  assert.equal(image.code, 0, image.err);
  assert.equal(readFileSync(join(folder, 'a.png')).subarray(1, 4).toString(), 'PNG');
  const speech = await run('speak', '--model', 'sandbox-speech', 'Hello', '-o', 'a.wav');
  assert.deepEqual([speech.code, speech.err], [0, '']);
  assert.equal(readFileSync(join(folder, 'a.wav')).subarray(0, 4).toString(), 'RIFF');
  const other = await run('image', '--model', modelFor('image-generation'), 'A lighthouse', '-o', 'a.jpg');
  assert.deepEqual([other.code, other.err], [0, 'a.jpg holds PNG, not JPEG: that is what the model made.\n']);
  const odd = await run('speak', '--model', 'sandbox-speech', 'Hello', '-o', 'a.flac');
  assert.deepEqual([odd.code, odd.err], [0, 'a.flac holds MP3, not FLAC: that is what the model made.\n']);
  const text = await run('transcribe', '--model', 'sandbox-transcribe', 'a.wav');
  assert.equal(text.code, 0, text.err);
  assert.ok(text.out.trim().length > 0);
  const video = await run('video', '--model', 'alpha-1.0-t2v', 'A lighthouse', '-o', 'a.mp4');
  assert.equal(video.code, 0, video.err);
  assert.ok(statSync(join(folder, 'a.mp4')).size > 100);
  assert.match(video.err, /100 % completed/);
});

test('doctor and reconcile look at the settings and say what to do (contract-2 11)', async () => {
  const settings = {
    TOLLGATE_DATA_DIR: gateway.dataFolder,
    TOLLGATE_URL: gateway.address,
    TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
    TOLLGATE_SECRET: SECRET,
    PORT: '0',
  };
  const well = json(await runCli(['doctor', '--json'], settings));
  const found = well.findings.map(({ check }: { check: string }) => check);
  for (const check of ['settings', 'store', 'secret', 'writes', 'clock', 'channel'])
    assert.ok(found.includes(check), check);
  const wrong = await runCli(['doctor'], { ...settings, REDIS_URL: 'redis://127.0.0.1:9', TOLLGATE_WORKERS: '0' });
  assert.equal(wrong.code, 1);
  assert.match(wrong.out, /^FAIL {2}settings .*TOLLGATE_WORKERS/m);
  const bad = { ...settings, TOLLGATE_FOO: '1', PORT: 'x', LOG_LEVEL: 'y' };
  const several = (await runCli(['doctor'], bad)).out;
  for (const name of ['TOLLGATE_FOO', 'PORT', 'LOG_LEVEL'])
    assert.match(several, new RegExp(`^FAIL  settings +${name} .*\\n.*-> .*docs/settings\\.md lists`, 'm'));
  assert.doesNotMatch(several, /README/);
  const away = await runCli(['doctor'], { ...settings, REDIS_URL: 'redis://127.0.0.1:9' });
  assert.match(away.out, /^FAIL {2}redis .*\n.*-> Without it rate limits/m);
  const sinks = `file://${folder}/export,clickhouse://u:hunter22@127.0.0.1:9/data`; // contract-2 12
  const exporting = await runCli(['doctor'], { ...settings, TOLLGATE_EXPORT: sinks });
  assert.match(exporting.out, /^ok {4}export +file:\/\/.*\nFAIL {2}export +clickhouse:\/\/127\.0\.0\.1:9\/data: /m);
  assert.doesNotMatch(exporting.out + exporting.err, /hunter22/);
  const books = await runCli(['reconcile'], { TOLLGATE_DATA_DIR: gateway.dataFolder });
  assert.equal(books.code, 0, books.err);
  assert.match(books.out, /^store: SQLite, .*\nread: \d+ accounts.*\nsums: granted/);
  const none = await runCli(['reconcile'], { TOLLGATE_DATA_DIR: join(folder, 'nothing') });
  assert.equal(none.code, 1);
  assert.match(none.err, /There is nothing to check/);
  const asJson = await runCli(['reconcile', '--json'], { TOLLGATE_DATA_DIR: join(folder, 'nothing') });
  assert.equal(asJson.code, 1);
  assert.match(JSON.parse(asJson.out).error, /^There is nothing to check/);
});
