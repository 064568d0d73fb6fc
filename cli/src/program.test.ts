// Every command of the command line by one table (contract-2 11): it has help, knows --json, and refuses wrong use with 2.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Command, CommanderError } from 'commander';
import { makeProgram } from './program.ts';

/** Each with the way to it; those that only group others are not commands. */
function leavesOf(command: Command, way: string[] = []): { way: string[]; command: Command }[] {
  if (command.commands.length === 0) return [{ way, command }];
  return command.commands.flatMap((one) => leavesOf(one, [...way, one.name()]));
}

function silent(command: Command): void {
  command.configureOutput({ writeOut: () => {}, writeErr: () => {} });
  for (const one of command.commands) silent(one);
}

/** As main.ts makes an exit code of it; undefined: the command ran. */
async function codeOf(...args: string[]): Promise<number | undefined> {
  const program = makeProgram();
  silent(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return undefined;
  } catch (error) {
    assert.ok(error instanceof CommanderError, String(error));
    return error.exitCode === 0 ? 0 : 2;
  }
}

const leaves = leavesOf(makeProgram());

for (const { way, command } of leaves)
  test(`tollgate ${way.join(' ')}: --help is 0, --json is known, an unknown option is 2 (contract-2 11)`, async () => {
    assert.notEqual(command.description(), '', 'it says what it does');
    assert.ok(command.options.some(({ long }) => long === '--json'));
    assert.match(command.helpInformation(), /--help/);
    for (const { long, description } of command.options) assert.notEqual(description, '', `${long} says what it is`);
    assert.equal(await codeOf(...way, '--help'), 0);
    assert.equal(await codeOf(...way, '--no-such-option'), 2);
    const needed = command.registeredArguments.filter(({ required }) => required);
    if (needed.length > 0) assert.equal(await codeOf(...way), 2, 'without its arguments');
  });

test('the commands of contract-2 11 are there, and docs/command-line.md names each', () => {
  const ways = leaves.map(({ way }) => way.join(' '));
  const nouns = ['accounts', 'tokens', 'channels', 'models', 'requests', 'tasks'];
  const alone = [
    'start',
    'doctor',
    'plan',
    'apply',
    'export',
    'backup',
    'restore',
    'move',
    'reconcile',
    'change-secret',
  ];
  const asClient = ['chat', 'image', 'speak', 'transcribe', 'embed', 'video', 'quote', 'usage'];
  const imports = ['new-api', 'one-api', 'litellm'].map((source) => `import ${source}`);
  for (const way of [...alone, ...asClient, ...imports, ...nouns.map((noun) => `${noun} list`)])
    assert.ok(ways.includes(way), `there is no ${way}`);
  for (const noun of ['accounts', 'tokens', 'channels', 'models'])
    for (const verb of ['show', 'create', 'update', 'disable'])
      assert.ok(ways.includes(`${noun} ${verb}`), `there is no ${noun} ${verb}`);
  const page = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8');
  for (const { way } of leaves) assert.ok(page.includes(way[0] ?? ''), `${way[0]} is not on the page`);
});

test('wrong use of the program itself is 2', async () => {
  assert.equal(await codeOf('frob'), 2);
  assert.equal(await codeOf('--frob'), 2);
  assert.equal(await codeOf('--help'), 0);
  assert.equal(await codeOf('--version'), 0);
});

test('the help names every command that needs a key, and the page of the settings', () => {
  let help = '';
  makeProgram()
    .configureOutput({ writeOut: (text) => (help += text) })
    .outputHelp();
  const listed = (setting: string): string =>
    new RegExp(`${setting} +for ((?:[^\\n]+,\\n +)*[^\\n]+)`).exec(help)?.[1] ?? assert.fail(setting);
  for (const [setting, needs] of [
    ['TOLLGATE_OPERATOR_KEY', /needs TOLLGATE_OPERATOR_KEY/],
    ['TOLLGATE_TOKEN', /needs TOLLGATE_TOKEN/],
  ] as const) {
    const named = new Set(listed(setting).split(/,\s+/));
    for (const { way, command } of leaves)
      if (needs.test(command.description() + (command.parent?.description() ?? '')))
        assert.ok(named.has(way[0] ?? ''), `${way[0]} is not named for ${setting}`);
  }
  const start = leaves.find(({ way }) => way[0] === 'start')?.command.description() ?? '';
  assert.match(start, /docs\/settings\.md/);
});
