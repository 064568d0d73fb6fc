import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupName } from '#contract/values/text.ts';
import { groupOf } from './names.ts';

test('two groups never become one, nor any the group default: each has its own factor (contract-2 11)', () => {
  const long = 'g'.repeat(64);
  const written = [
    'default',
    'vip',
    '\u{1F48E}',
    '\u2605\u2605',
    'vip!',
    'vip(',
    'vip-',
    '-vip',
    `${long}1`,
    `${long}2`,
    'a/b',
    'a\\b',
  ];
  const names = written.map(groupOf);
  assert.equal(new Set(names).size, written.length, names.join(' | '));
  for (const name of names) assert.ok(groupName.safeParse(name).success, name);
  assert.deepEqual(written.map(groupOf), names, 'the same in every run');
  assert.deepEqual([groupOf('default'), groupOf('vip-')], ['default', 'vip-'], 'what can be written stays');
});
