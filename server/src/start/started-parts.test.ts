import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StartedParts } from './started-parts.ts';

function threeParts() {
  const stopped: unknown[] = [];
  const logged: string[] = [];
  const started = new StartedParts({ error: (_: unknown, text?: string) => void logged.push(text ?? '') });
  started.add('the store', (graceMs) => stopped.push(['store', graceMs]));
  started.add('the sweeper', () => {
    stopped.push('sweeper');
    throw new Error('no answer');
  });
  started.add('the server', () => Promise.resolve(stopped.push('server')));
  return { started, stopped, logged };
}

test('parts stop in reverse order with the grace of the stop, whatever fails, and the failure is reported', async () => {
  const { started, stopped, logged } = threeParts();
  await assert.rejects(started.stop(70), { message: 'could not be stopped cleanly: the sweeper' });
  assert.deepEqual(stopped, ['server', 'sweeper', ['store', 70]]);
  assert.deepEqual(logged, ['the sweeper could not be stopped cleanly']);
});

test('after a failed start all is stopped at once, and no other error hides that of the start', async () => {
  const { started, stopped, logged } = threeParts();
  await started.stopAfterFailure();
  assert.deepEqual(stopped, ['server', 'sweeper', ['store', 0]]);
  assert.equal(logged.length, 1);
});
