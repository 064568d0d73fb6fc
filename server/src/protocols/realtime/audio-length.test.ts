import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PCM, readFormat } from './audio-length.ts';

test('a rate that no sound has is not believed: lengths stay positive and finite (promise M-10)', () => {
  for (const rate of [-24_000, 0, 0.001, 1e308, 'NaN'])
    assert.deepEqual(readFormat({ type: 'audio/pcm', rate }), PCM, String(rate));
  assert.deepEqual(readFormat({ type: 'audio/pcm', rate: 16_000 }), { bytesPerMs: 32 });
});
