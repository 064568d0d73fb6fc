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
