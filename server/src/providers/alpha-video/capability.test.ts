import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFieldRefused } from '../../testing/refusals.ts';
import { capabilityOf } from './capability.ts';

test('the capability is the suffix of the model name (spec 2.6)', () => {
  for (const [model, name] of [
    ['alpha-1.1-t2v', 't2v'],
    ['alpha-1.0-i2v', 'i2v'],
    ['alpha-1.1-r2v', 'r2v'],
    ['alpha-1.0-video-edit', 'video-edit'],
    ['ALPHA-1.0-T2V', 't2v'],
  ] as const)
    assert.equal(capabilityOf(model, 'upstream-i2v').name, name, model);
});

test('a model with a name of its own has the capability of its upstream name', () => {
  assert.equal(capabilityOf('house-film', 'vendor-1.0-video-edit').name, 'video-edit');
  assert.equal(capabilityOf('t2v', 'vendor-1.0-r2v').name, 'r2v'); // a whole name is no suffix
});

test('a model whose names say nothing is refused', () => {
  assertFieldRefused(() => capabilityOf('house-film', 'vendor-film'), {
    param: 'model',
    message: /"house-film".*-video-edit, -t2v, -i2v, -r2v/,
  });
});
