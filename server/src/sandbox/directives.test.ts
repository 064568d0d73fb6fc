import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import {
  createOnceMemory,
  findPromptDirectives,
  parseDirective,
  readBehavePath,
  removeDirectives,
} from './directives.ts';
import { scenarios } from './scenarios.ts';

test('a directive is read with hyphens or spaces, with and without its argument', () => {
  assert.deepEqual(parseDirective('slow 20')?.behaviour, { waitMs: 20 });
  assert.deepEqual(parseDirective('slow-20')?.behaviour, { waitMs: 20 });
  assert.deepEqual(parseDirective('slow')?.behaviour, { waitMs: 1000 });
  assert.deepEqual(parseDirective('usage-negative')?.behaviour, { usage: 'negative' });
  assert.deepEqual(parseDirective('error-event-3')?.behaviour, { breakage: { kind: 'error-event', after: 3 } });
  assert.equal(parseDirective('once-rate-limited-5')?.once, true);
});

test('an unknown name, an argument out of range or one too many is no directive', () => {
  const wrong = ['sloow', 'fail-200', 'fail-600', 'hang-3', 'slow-x', 'slow--1', '', 'constructor', 'once-', 'big-0'];
  for (const text of wrong) assert.equal(parseDirective(text), undefined, text);
});

test('directives of a prompt are found, and taken out of what is said', () => {
  const found = findPromptDirectives(['hi [[slow 5]] there [[ Fail 503 ]]', '[[see also]] [[once-reset]]']);
  assert.deepEqual(
    found.known.map(({ text }) => text),
    ['slow-5', 'fail-503', 'reset'],
  );
  assert.deepEqual(found.unknown, ['see also']);
  assert.equal(removeDirectives('hi [[slow 5]][[see also]]'), 'hi [[see also]]');
});

test('directives of a base path are split from the path behind them', () => {
  const read = readBehavePath('/behave/slow-5,cut-2/openai/v1/models');
  assert.equal(read.path, '/openai/v1/models');
  assert.deepEqual(
    read.directives.map(({ text }) => text),
    ['slow-5', 'cut-2'],
  );
  assert.deepEqual(readBehavePath('/behave/nope%2Chang/x').unknown, ['nope']);
  assert.deepEqual(readBehavePath('/openai/v1'), { path: '/openai/v1', directives: [], unknown: [] });
});

test('a once-directive strikes once for each key, directive and path', () => {
  const memory = createOnceMemory();
  const directive = parseDirective('once-hang');
  assert.ok(directive);
  const due = (key: string, path: string): number => memory.stillDue([directive], { key, path }).length;
  assert.deepEqual([due('a', '/x'), due('a', '/x'), due('b', '/x'), due('a', '/y')], [1, 0, 1, 1]);
  memory.clear();
  assert.equal(due('a', '/x'), 1);
});

test('docs/sandbox.md has a row for every directive', async () => {
  const text = await readFile(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8');
  for (const [name, { argument }] of Object.entries(scenarios)) {
    const form = argument === undefined ? name : `${name} ${argument.name}`;
    assert.ok(text.includes(`| \`${form}\` |`), `no row for ${form}`);
  }
});
