// Files that are made to harm their reader: one sentence each, and nothing is left out without a word.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Refused } from '../refused.ts';
import { readConfigFile } from './read-config-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-config-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'tollgate.yaml');

async function refusal(text: string): Promise<string> {
  writeFileSync(file, text);
  const error: unknown = await readConfigFile(file).then(
    () => assert.fail('it was read'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Refused, String(error));
  return error.message;
}

test('aliases that grow without end are refused with the name of the file (contract-2 11)', async () => {
  const names = 'abcdefghi'.split('');
  const list = (name: string, index: number): string =>
    `${name}: &${name} [${Array(9)
      .fill(index === 0 ? 'x' : `*${names[index - 1]}`)
      .join(',')}]`;
  assert.match(await refusal(`${names.map(list).join('\n')}\nmodels: {m: *i}\n`), /tollgate\.yaml: .*alias/i);
});

test('a name that no list can hold is refused with its line, not left out (contract-2 11)', async () => {
  const model = '{price: {unit: request, amount: "1"}}';
  assert.match(
    await refusal(`models:\n  m: ${model}\n  __proto__: ${model}\n`),
    /tollgate\.yaml:3: "models\.__proto__"/,
  );
});

test('a field with a slip in its name is named with its own line, and what was meant (contract-2 11)', async () => {
  for (const [text, words] of [
    [
      'channels:\n  main:\n    base_url: https://x.example\n    provder: openai\n',
      /yaml:4: "channels\.main\.provder": unknown field "provder"; did you mean "provider"\?$/,
    ],
    ['tokens:\n  t:\n    accuont: Acme\n', /yaml:3: "tokens\.t\.accuont": unknown field .* did you mean "account"\?$/],
    ['version: 1\nchanels: {}\n', /yaml:2: "chanels": unknown field "chanels"; did you mean "channels"\?$/],
    [
      'flags:\n  f: { colour: red }\n',
      /:2: "flags\.f\.colour": unknown field "colour"; known here: enabled, .*accounts$/,
    ],
    ['alert_rules: { store_slwo: {} }\n', /"alert_rules\.store_slwo": unknown field .* did you mean "store_slow"\?$/],
  ] as const)
    assert.match(await refusal(text), words);
});

test('what is wrong is a sentence about the field, not words of the validator (contract-2 11)', async () => {
  for (const [text, words] of [
    ['version: 2\n', /yaml:1: "version": must be 1$/],
    ['channels:\n  c:\n    provider: openai\n', /yaml:2: "channels\.c\.base_url": is required$/],
    [
      'models:\n  m:\n    price: { unit: token }\n',
      /:3: "models\.m\.price\.unit": must be one of tokens, request, image,/,
    ],
    ['models:\n  m: 5\n', /:2: "models\.m": must be an object$/],
    ['models: []\n', /:1: "models": must be an object$/],
    ['groups:\n  "a!": {}\n', /:2: "groups\.a!": must begin with a letter or digit/],
    ['accounts: { a: { budget_period: year } }\n', /"accounts\.a\.budget_period": must be one of day, week, month$/],
    ['name: ""\n', /:1: "name": must have at least 1 character$/],
  ] as const) {
    const sentence = await refusal(text);
    assert.match(sentence, words);
    assert.doesNotMatch(sentence, /Invalid|expected/i);
  }
});

test('a slip in the YAML is a whole sentence with one line number (contract-2 11)', async () => {
  for (const text of ['models: [\n', 'a: "b\n', 'a: b: c\n', 'a: 1\na: 2\n', 'channels:\n\tc: {}\n']) {
    const sentence = await refusal(text);
    assert.match(sentence, /tollgate\.yaml:\d+: [A-Z].*\.$/);
    assert.doesNotMatch(sentence, /line \d|column/);
  }
});
