import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subjectName } from './subject-name.ts';

test('what was changed has a name instead of an id (issue 34 point 6)', () => {
  const names = new Map([
    ['mem_1', 'ann@example.com'],
    ['cod_1', 'TG-ABC...YZ'],
  ]);
  const name = (resource: string, resource_id: string, detail: Record<string, unknown> = {}) =>
    subjectName({ resource, resource_id, detail }, names);
  assert.equal(name('member', 'mem_1'), 'ann@example.com');
  assert.equal(name('code', 'cod_1', { count: 1 }), 'TG-ABC...YZ');
  assert.equal(name('code', 'cod_1', { count: 20 }), '20 codes');
  assert.equal(name('alert_rule', 'channel_down'), 'Channel down');
  assert.equal(name('alert_rule', 'not_a_rule'), 'not_a_rule');
  assert.equal(name('session', '', { address: '192.0.2.1' }), '192.0.2.1');
  assert.equal(name('group', 'gold'), 'gold');
});
