import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchingText } from './matching-text.ts';

const found = ['Customer 21', 'Customer 12', 'Customer 1', 'Harbour'].map((name, at) => ({ id: `acc_${at}`, name }));
const namesFor = (text: string) => matchingText(found, text).map(({ name }) => name);

test('of what was found before, only that stays which fits what is typed now, the whole name first', () => {
  assert.deepEqual(namesFor('customer 1'), ['Customer 1', 'Customer 12']);
  assert.deepEqual(namesFor(' HARB '), ['Harbour']);
  assert.deepEqual(namesFor('acc_0'), ['Customer 21']);
  assert.deepEqual(namesFor('nobody'), []);
  assert.equal(namesFor('').length, 4);
});
