import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { ClientReply } from './call.ts';
import { KEEP_ALIVE_MS, KeepAlive } from './deliver-stream.ts';

test('a comment goes out after each silence, none while stopped, and again after another start', (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.after(() => mock.timers.reset());
  let comments = 0;
  const reply = { beginStream() {}, write: () => (comments++, true) } as unknown as ClientReply;
  const keepAlive = new KeepAlive(reply, undefined);
  mock.timers.tick(KEEP_ALIVE_MS);
  assert.equal(comments, 0);
  keepAlive.start();
  mock.timers.tick(KEEP_ALIVE_MS - 1);
  keepAlive.start();
  mock.timers.tick(1);
  assert.equal(comments, 1);
  keepAlive.stop();
  keepAlive.spoke();
  mock.timers.tick(3 * KEEP_ALIVE_MS);
  assert.equal(comments, 1);
  keepAlive.start();
  mock.timers.tick(2 * KEEP_ALIVE_MS);
  assert.equal(comments, 3);
});
