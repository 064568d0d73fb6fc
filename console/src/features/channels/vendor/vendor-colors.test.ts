import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colorOf, isLight, letters } from './vendor-colors.ts';

test('a tile has one or two letters of the vendor, and a colour on which they are read', () => {
  const shown = ['OpenAI', 'Hugging Face', 'Mistral', 'llama.cpp', 'AI21', 'Doubao (Volcengine Ark)', 'vLLM', 'xAI'];
  assert.deepEqual(shown.map(letters), ['OA', 'HF', 'M', 'LC', 'AI', 'DV', 'LL', 'AI']);
  for (const name of [...shown, 'Nobody', 'Somebody', '']) assert.match(colorOf(name), /^#[0-9a-f]{6}$/);
  assert.deepEqual([isLight('#ffd21e'), isLight('#0d0d0d'), isLight(colorOf('Anybody'))], [true, false, false]);
});
