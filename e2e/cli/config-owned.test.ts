// What a configuration file owns, and names that several have: plan and apply with --prune, export (contract-2 11).
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import type { ConfigDrift } from '#contract/config-file.ts';
import { OPERATOR_KEY, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type CliResult, json, runCli } from './run-cli.ts';

let gateway: TestGateway;
const folder = mkdtempSync(join(tmpdir(), 'tollgate-owned-'));

before(async () => {
  gateway = await startTestGateway();
});
after(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: string[]): Promise<CliResult> =>
  runCli(args, { TOLLGATE_URL: gateway.address, TOLLGATE_OPERATOR_KEY: OPERATOR_KEY }, { cwd: folder });

async function outOf(...args: string[]): Promise<string> {
  const { code, out, err } = await run(...args);
  assert.equal(code, 0, err);
  return out;
}

function write(file: string, text: string): string {
  writeFileSync(join(folder, file), text);
  return file;
}

const channel = (name: string): string => `  ${name}: { provider: openai, base_url: "https://${name}.example" }\n`;

async function channelNames(): Promise<string[]> {
  return json(await run('channels', 'list', '--all', '--json')).data.map(({ name }: { name: string }) => name);
}

test('an apply without --prune leaves what it no longer names to a later --prune (contract-2 11)', async () => {
  const first = write('f1.yaml', `name: fg\nchannels:\n${channel('keepme')}${channel('dropme')}`);
  const second = write('f2.yaml', `name: fg\nchannels:\n${channel('keepme')}`);
  await outOf('apply', '-f', first, '--yes');
  assert.match(await outOf('plan', '-f', second, '--prune'), /^- channel +dropme$/m);
  for (let time = 0; time < 2; time++)
    assert.match(
      await outOf('apply', '-f', second, '--yes'),
      /^0 to create, 0 to change, 0 to remove\.\nNothing to do/,
    );
  assert.match(
    await outOf('plan', '-f', second, '--prune'),
    /^- channel +dropme\n0 to create, 0 to change, 1 to remove/,
  );
  await outOf('apply', '-f', second, '--yes', '--prune');
  const names = await channelNames();
  assert.deepEqual([names.includes('keepme'), names.includes('dropme')], [true, false]);
  assert.match(await outOf('plan', '-f', second, '--prune'), /0 to remove/);
});

test("what another file names by now is that file's, and what somebody removed is nobody's (contract-2 11)", async () => {
  write('own.yaml', `name: own\nchannels:\n${channel('own-a')}${channel('own-b')}${channel('own-c')}`);
  await outOf('apply', '-f', 'own.yaml', '--yes');
  await outOf('apply', '-f', write('takes.yaml', `name: takes\nchannels:\n${channel('own-a')}`), '--yes');
  const { data } = json(await run('channels', 'list', '--all', '--json'));
  const { id } = data.find(({ name }: { name: string }) => name === 'own-b');
  await gateway.operator('DELETE', `/channels/${id}`);
  await outOf('apply', '-f', write('own.yaml', 'name: own\n'), '--yes');
  await gateway.operator('POST', '/channels', { name: 'own-b', provider: 'openai', base_url: 'https://new.example' });
  assert.match(
    await outOf('plan', '-f', 'own.yaml', '--prune'),
    /^- channel +own-c\n0 to create, 0 to change, 1 to remove/,
  );
});

test('files without a name do not take over what the other left, by their paths (contract-2 11)', async () => {
  write('a.yaml', `channels:\n${channel('path-a')}${channel('path-a2')}`);
  write('b.yaml', `channels:\n${channel('path-b')}${channel('path-b2')}`);
  await outOf('apply', '-f', 'a.yaml', '--yes');
  await outOf('apply', '-f', 'b.yaml', '--yes');
  assert.match(await outOf('plan', '-f', 'b.yaml', '--prune'), /0 to remove/);
  write('b.yaml', `channels:\n${channel('path-b')}`);
  await outOf('apply', '-f', 'b.yaml', '--yes');
  assert.match(await outOf('plan', '-f', 'b.yaml', '--prune'), /^- channel +path-b2\n.* 1 to remove/m);
});

test('groups stay and rules are reset: neither is called or counted as removed (contract-2 11)', async () => {
  write(
    'stay.yaml',
    'name: stay\ngroups: { gold: { multiplier: "0.5" } }\naccounts: { Stays: { group: gold } }\n' +
      'alert_rules: { store_slow: { enabled: false }, model_retires: {} }\n',
  );
  await outOf('apply', '-f', 'stay.yaml', '--yes');
  write('stay.yaml', 'name: stay\n');
  const planned = await outOf('plan', '-f', 'stay.yaml', '--prune');
  assert.match(planned, /^= group +gold +\(stays: groups cannot be removed\)$/m);
  assert.match(planned, /^~ alert_rule +store_slow +\(reset to its defaults\)$/m);
  assert.match(planned, /^- account +Stays +\(disabled: its books stay\)$/m);
  assert.match(planned, /^0 to create, 0 to change, 1 to remove, 1 to reset\.$/m);
  assert.doesNotMatch(planned, /model_retires/);
  const { changes, stays } = json(await run('plan', '-f', 'stay.yaml', '--prune', '--json'));
  assert.deepEqual(
    changes.map(({ action }: { action: string }) => action),
    ['reset', 'remove'],
  );
  assert.deepEqual(
    stays.map(({ name }: { name: string }) => name),
    ['gold'],
  );
  assert.match(
    await outOf('apply', '-f', 'stay.yaml', '--prune', '--yes'),
    /^alert rule "store_slow" is as by default/m,
  );
  assert.match(await outOf('apply', '-f', 'stay.yaml', '--prune', '--yes'), /Nothing to do/);
});

test('a token of an account whose name others have is refused with its line, and not guessed at (contract-2 11)', async () => {
  write('app.yaml', 'name: app\naccounts: { my-company: {} }\ntokens:\n  t2: { account: my-company }\n');
  await outOf('apply', '-f', 'app.yaml', '--yes');
  write('app2.yaml', 'name: app2\ntokens:\n  t4: { account: my-company }\n');
  await outOf('apply', '-f', 'app2.yaml', '--yes');
  const second = await gateway.operator<{ id: string }>('POST', '/accounts', { name: 'my-company' });
  await gateway.operator('POST', '/tokens', { account_id: second.id, name: 't3' });
  await gateway.operator('PUT', '/flags/of-company', { enabled: true, accounts: [second.id] });
  const named = await run('plan', '-f', 'app2.yaml');
  assert.deepEqual([named.code, named.out], [1, '']);
  assert.match(named.err, /app2\.yaml:3: "tokens\.t4\.account": several accounts are named "my-company"/);
  const account = await run('apply', '-f', 'app.yaml', '--yes');
  assert.match(account.err, /app\.yaml:2: "accounts\.my-company": several accounts are named "my-company"/);
  for (const [name, words] of [
    ['app', /several accounts are named "my-company": --prune cannot tell/],
    ['app2', /several accounts are named "my-company": --prune cannot tell whose token "t4" the file made/],
  ] as const) {
    write('less.yaml', `name: ${name}\n`);
    const pruned = await run('apply', '-f', 'less.yaml', '--yes', '--prune');
    assert.equal(pruned.code, 1);
    assert.match(pruned.err, words);
  }
  const { data } = await gateway.operator<{ data: { name: string; drift: ConfigDrift[] }[] }>('GET', '/config-files');
  assert.deepEqual(data.find(({ name }) => name === 'app')?.drift, []);
});

test('what is exported can be planned without a change where accounts share a name, and says what is not in it (contract-2 11)', async () => {
  const { code, out, err } = await run('export');
  assert.equal(code, 0, err);
  assert.match(err, /^Several accounts "my-company": none of them is in the file/m);
  assert.match(err, /^Token "t3" is not in the file, because several accounts have the name of its own/m);
  assert.match(err, /^Flag "of-company" is in the file without its accounts/m);
  assert.equal(parse(out).tokens?.t3, undefined);
  write('exported.yaml', out);
  assert.match(await outOf('plan', '-f', 'exported.yaml'), /^0 to create, 0 to change, 0 to remove/);
});
