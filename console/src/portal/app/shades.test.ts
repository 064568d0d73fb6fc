import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contrast, readableOn, shadesOf } from './shades.ts';

const COLORS = ['#5648f0', '#0f766e', '#ffcc00', '#ffffff', '#000000', '#ff0000', '#7f7f7f', '#00ff7f'];

test('any colour of an operator gives ten shades with the colour itself, lightest first (contract-2 10)', () => {
  for (const color of COLORS) {
    const shades = shadesOf(color);
    assert.equal(shades.length, 10);
    assert.equal(shades[6], color);
    assert.ok(shades.every((shade) => /^#[\da-f]{6}$/.test(shade)));
    assert.ok(contrast(shades[0] ?? '', '#000000') >= contrast(shades[9] ?? '', '#000000'));
  }
});

test('text of any colour is readable on light and on dark pages', () => {
  for (const color of COLORS) {
    for (const ground of ['#ffffff', '#f6f8fb', '#151b26', '#000000'])
      assert.ok(contrast(readableOn(ground, color, 4.6), ground) >= 4.6, `${color} on ${ground}`);
  }
  assert.equal(readableOn('#ffffff', '#0f766e', 4.5), '#0f766e', 'a colour that is readable stays');
  assert.ok(Math.abs(contrast('#ffffff', '#000000') - 21) < 0.001);
});
