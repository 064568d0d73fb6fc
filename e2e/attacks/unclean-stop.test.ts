// A part that cannot be stopped keeps no other from it: the store is closed, the log names the part, and the exit code says
// so (promise O-01).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SqliteThread } from '../../server/src/store/sqlite/connection.ts';
import { TaskEngine } from '../../server/src/tasks/task-engine.ts';
import { startTestGateway } from '../support/gateway.ts';

test('one rejected promise of a stop leaves neither the store open nor the failure unsaid', async (t) => {
  const gateway = await startTestGateway();
  t.after(() => gateway.upstream.stop());
  const { stop } = TaskEngine.prototype;
  t.mock.method(TaskEngine.prototype, 'stop', async function (this: TaskEngine) {
    await stop.call(this);
    throw new Error('the engine is stuck');
  });
  const closed = t.mock.method(SqliteThread.prototype, 'close');
  await assert.rejects(gateway.stop(), { message: 'could not be stopped cleanly: video tasks' });
  assert.ok(closed.mock.callCount() > 0, 'the store is closed');
  assert.ok(gateway.logLines.some((line) => /video tasks could not be stopped cleanly/.test(line)));
});
