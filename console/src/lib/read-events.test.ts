import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventReader } from './read-events.ts';

test('events come out whole wherever their bytes are cut', () => {
  const text = ': ping\n\ndata: {"a":1}\n\ndata: one\ndata: two\r\n\r\ndata: [DONE]\n\n';
  for (let cut = 0; cut <= text.length; cut++) {
    const reader = new EventReader();
    const seen = [...reader.read(text.slice(0, cut)), ...reader.read(text.slice(cut))];
    assert.deepEqual(seen, ['{"a":1}', 'one\ntwo', '[DONE]'], `cut at ${cut}`);
  }
});
