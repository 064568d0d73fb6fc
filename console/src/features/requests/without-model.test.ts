import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutModel } from './without-model.ts';

const known = ['orion-large', 'orion-mini', 'tiny'];

test('a model is taken out of every list that allows it, and nothing else is (issue 34 point 4)', () => {
  assert.deepEqual(withoutModel(['tiny', 'orion-mini'], known, 'tiny'), { models: ['orion-mini'], expanded: [] });
  assert.deepEqual(withoutModel(['orion-*', 'tiny'], known, 'orion-mini'), {
    models: ['orion-large', 'tiny'],
    expanded: ['orion-*'],
  });
  assert.deepEqual(withoutModel(null, known, 'tiny'), { models: ['orion-large', 'orion-mini'], expanded: ['*'] });
  assert.deepEqual(withoutModel(['tiny'], known, 'tiny'), { models: [], expanded: [] });
  assert.deepEqual(withoutModel(['orion-*'], known, 'tiny'), { models: ['orion-*'], expanded: [] });
});
