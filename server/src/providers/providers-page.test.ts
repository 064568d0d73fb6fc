// docs/providers.md says what the declarations say (contract-2 9).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { model } from '#contract/models.ts';
import { price } from '#contract/prices.ts';
import { listProviders } from './registry.ts';

const page = readFileSync(new URL('../../../docs/providers.md', import.meta.url), 'utf8');

/** The rows of the table under a heading, cell by cell, without head and rule. */
function tableUnder(heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

const code = (text: string): string => `\`${text}\``;
const list = (names: readonly string[]): string => names.map(code).join(', ');

test('units and listings are names that the operator API knows', () => {
  const units = new Set<string>(price.options.map(({ shape }) => shape.unit.value));
  const types = model.shape.endpoint_types.element.options;
  for (const { name, facts, video, endpointTypes } of listProviders()) {
    assert.deepEqual(
      endpointTypes.filter((one) => !(types as readonly string[]).includes(one)),
      [],
      name,
    );
    assert.deepEqual(
      [...facts.units, ...(video?.units ?? [])].filter((one) => !units.has(one)),
      [],
      name,
    );
  }
});

test('the table of kinds is made of the declarations (contract-2 9)', () => {
  const rows = listProviders().map(({ name, facts, video }) => [
    code(name),
    `${facts.about}.`,
    `${code(facts.baseUrl.example)}. ${facts.baseUrl.hint}.`,
    `${facts.key.hint}.`,
    list([...facts.units, ...(video?.units ?? [])]),
  ]);
  assert.deepEqual(tableUnder('Kinds'), rows);
});

test('the table of presets is made of the declarations (contract-2 9)', () => {
  const rows = listProviders().flatMap(({ name, facts }) =>
    facts.presets.map(({ vendor, baseUrl, speaks, dropFields = [], note }) => [
      vendor,
      code(name),
      code(baseUrl),
      speaks === undefined ? '' : list(speaks),
      list(dropFields),
      note === undefined ? '' : `${note}.`,
    ]),
  );
  assert.deepEqual(tableUnder('Presets'), rows);
});
