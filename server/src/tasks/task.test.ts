import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taskRow } from '../testing/task-rows.ts';
import { canMove, changedTask, statesShownAs, statusOf, viewTask } from './task.ts';

const states = [
  'CREATED',
  'SUBMITTING',
  'SUBMIT_UNKNOWN',
  'SUBMITTED',
  'QUEUED',
  'IN_PROGRESS',
  'SUCCESS',
  'FAILURE',
] as const;

test('a task never goes backwards and never leaves an end (promises V-03, V-06)', () => {
  for (const [index, from] of states.entries())
    for (const [later, to] of states.entries())
      if (canMove(from, to)) {
        assert.ok(later > index || (from === 'SUBMITTING' && to === 'SUBMITTING'), `${from} -> ${to}`);
        assert.ok(from !== 'SUCCESS' && from !== 'FAILURE');
      }
  assert.throws(() => changedTask(taskRow({ id: 't', state: 'IN_PROGRESS' }), { state: 'QUEUED' }, 1), /cannot go/);
  assert.equal(changedTask(taskRow({ id: 't', version: 7 }), { progress: 5 }, 99).version, 8);
});

test('the steps of a submit are shown as SUBMITTED (spec 3)', () => {
  assert.deepEqual(states.map((state) => statusOf({ state })).slice(0, 4), Array(4).fill('SUBMITTED'));
  assert.deepEqual(statesShownAs('SUBMITTED'), states.slice(0, 4));
  assert.deepEqual(statesShownAs('SUCCESS'), ['SUCCESS']);
  assert.equal(viewTask(taskRow({ id: 't' })).status, 'SUBMITTED');
});
