// Upstreams that fail: before anything was said, and in the middle of it.
import assert from 'node:assert/strict';
import type { Scenario } from '../cell.ts';

const QUESTION = { prompt: 'Will this work?' };

export const errorBefore: Scenario = {
  name: 'error before first event',
  asserts: "the next channel is asked; with none left, 502 as the library's own error; a refusal keeps its status",
  async run(cell) {
    const saved = await cell.ask(QUESTION, { model: await cell.makeModel(['error-event-0', '']) });
    await cell.checkAnswered(saved);
    assert.match(saved.text, /^You said: Will this work\?/);
    assert.equal(cell.received.length, 2);

    const lost = await cell.ask(QUESTION, { model: await cell.makeModel(['error-event-0']) });
    assert.deepEqual([lost.error?.status, lost.error?.kind], [502, cell.client.failure]);
    assert.equal(lost.text, '');

    const refused = await cell.ask({ prompt: 'Will this work? [[fail 422]]' });
    assert.equal(refused.error?.status, 422);
    assert.match(refused.error.message, /sandbox/i);
    return 'ok';
  },
};

export const errorAfter: Scenario = {
  name: 'error after it',
  asserts: 'what was said is seen, then the library raises its own error; a whole answer that breaks off is 502',
  async run(cell) {
    const seen = await cell.ask(QUESTION, { model: await cell.makeModel(['cut-5']) });
    assert.equal(seen.error?.kind, cell.client.failure);
    if (cell.stream) {
      assert.ok(seen.pieces >= 4, `${seen.pieces} pieces`);
      assert.match(seen.text, /^You said: Will/);
    } else {
      assert.equal(seen.error.status, 502);
      assert.equal(seen.text, '');
    }
    return 'ok';
  },
};
