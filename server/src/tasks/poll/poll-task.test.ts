import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { heartbeat } from '../../store/queries/processes.ts';
import { findRequest } from '../../store/queries/requests.ts';
import { listTaskEvents } from '../../store/queries/tasks.ts';
import { putWebhook } from '../../store/queries/webhooks.ts';
import { realTime } from '../../testing/real-time.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { type Answer, makeTaskWorld, says, succeeded } from '../../testing/task-world.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { pollTask } from './poll-task.ts';
import { TaskPoller } from './poll-tasks.ts';

const never = new AbortController().signal;

onEveryStore((open) => {
  const prepare = async (t: TestContext, answer: { now: Answer }) => makeTaskWorld(t, await open(), answer);

  test('a task that nobody finished ends at its deadline, is released once, and is cancelled upstream (V-02)', async (t) => {
    const { dependencies, requests, add, stored, kinds, at } = await prepare(t, {
      now: says(200, { status: 'running' }),
    });
    const task = await add('task_1');
    await pollTask(dependencies, task, never);
    const running = await stored('task_1');
    assert.deepEqual([running.state, running.version, running.lease_owner], ['IN_PROGRESS', 2, null]);
    assert.equal(running.next_poll_at, dependencies.clock.ms + 1_000);

    dependencies.clock.ms = (at + 86_400) * 1000 - 1;
    await pollTask(dependencies, running, never);
    const late = await stored('task_1');
    assert.equal(late.state, 'IN_PROGRESS');
    assert.ok(late.next_poll_at <= (at + 86_401) * 1000, 'the deadline is not slept over');
    dependencies.clock.ms = (at + 86_400) * 1000;
    await pollTask(dependencies, late, never);
    const ended = await stored('task_1');
    assert.deepEqual([ended.state, ended.error_code, ended.charge], ['FAILURE', 'task_timed_out', 0n]);
    assert.deepEqual(await kinds('task_1'), ['hold 100000', 'release 100000']);
    assert.equal(requests.at(-1), 'DELETE /api/v3/contents/generations/tasks/up-task_1');
    assert.equal((await findRequest(dependencies.store.reads, 'req_task_1'))?.arithmetic, 'failed (task_timed_out): 0');
  });

  test('what the provider has made by the deadline is charged and shown, not given up', async (t) => {
    const { dependencies, add, stored, kinds, at } = await prepare(t, { now: succeeded });
    const task = await add('task_1', { deadline: at });
    await pollTask(dependencies, task, never);
    assert.equal((await stored('task_1')).state, 'SUCCESS');
    assert.deepEqual(await kinds('task_1'), ['hold 100000', 'settle 30000', 'release 70000']);
  });

  test('a task whose process died before it was sent is given up at once; one that may have been sent is not', async (t) => {
    const { dependencies, add, stored, kinds, requests } = await prepare(t, { now: says(200, { items: [] }) });
    const created = await add('task_1', { state: 'CREATED', upstream_id: null, channel_id: null });
    await pollTask(dependencies, created, never);
    assert.deepEqual([(await stored('task_1')).error_code, requests], ['submit_interrupted', []]);
    assert.deepEqual(await kinds('task_1'), ['hold 100000', 'release 100000']);

    const sending = await add('task_2', { state: 'SUBMITTING', upstream_id: null });
    await pollTask(dependencies, sending, never);
    assert.equal((await stored('task_2')).state, 'SUBMIT_UNKNOWN');
    assert.deepEqual(await kinds('task_2'), ['hold 100000']);
    assert.ok(
      requests.every((request) => request.startsWith('GET ')),
      'nothing is submitted again',
    );
    dependencies.clock.ms += 899_000;
    await pollTask(dependencies, await stored('task_2'), never);
    assert.equal((await stored('task_2')).state, 'SUBMIT_UNKNOWN');
    dependencies.clock.ms += 1_000;
    await pollTask(dependencies, await stored('task_2'), never);
    assert.equal((await stored('task_2')).error_code, 'submit_unconfirmed');
    assert.deepEqual(await kinds('task_2'), ['hold 100000', 'release 100000']);
  });

  test('a worker that slept while others went on writes nothing, neither state nor money (FT-23)', async (t) => {
    const answer = { now: succeeded };
    const { dependencies, add, stored, kinds } = await prepare(t, answer);
    const task = await add('task_1');
    const [sleeper, other] = [{ ...task }, { ...task }];
    answer.now = says(200, { status: 'running' });
    await pollTask(dependencies, other, never);
    answer.now = says(200, { status: 'failed', error: { message: 'an old answer' } });
    assert.equal(await pollTask(dependencies, sleeper, never), undefined);
    assert.equal((await stored('task_1')).state, 'IN_PROGRESS');
    assert.deepEqual(await kinds('task_1'), ['hold 100000']);
    answer.now = succeeded;
    const current = await stored('task_1');
    await Promise.all([pollTask(dependencies, current, never), pollTask(dependencies, current, never)]);
    assert.deepEqual(await kinds('task_1'), ['hold 100000', 'settle 30000', 'release 70000']);
    const ends = (await listTaskEvents(dependencies.store.reads, ['task_1'])).filter(
      ({ status }) => status === 'SUCCESS',
    );
    assert.equal(ends.length, 1);
  });

  test('two pollers share the due tasks: each ends once', async (t) => {
    const { dependencies, requests, add, stored, kinds } = await prepare(t, { now: succeeded });
    const ids = Array.from({ length: 60 }, (_, index) => `task_${String(index).padStart(3, '0')}`);
    for (const id of ids) await add(id, { hold: 1_000n, sent: '{"tokens":3,"tier":"generate"}' });
    const reported: string[] = [];
    await heartbeat(dependencies.store, 'proc_b');
    const pollers = ['proc_a', 'proc_b'].map(
      (owner) =>
        new TaskPoller(
          { ...dependencies, owner, pollMs: 100 },
          { silenceSeconds: 10, onSucceeded: ({ id }) => reported.push(id) },
        ),
    );
    for (const poller of pollers) poller.start();
    await waitUntil(() => reported.length >= ids.length, 'not every task ends');
    for (const poller of pollers) await poller.stop();
    assert.deepEqual(reported.sort(), ids);
    assert.equal(requests.length, ids.length, 'no task was asked about twice');
    for (const id of ids) {
      assert.equal((await stored(id)).state, 'SUCCESS');
      assert.deepEqual(await kinds(id), ['hold 1000', 'settle 30000']); // the excess comes off too
    }
    assert.deepEqual(dependencies.errors, []);
  });

  test('a provider that refuses to know the task for long ends it; one that fails otherwise never does', async (t) => {
    const answer = { now: says(404, { error: { code: 'ResourceNotFound', message: 'none' } }) };
    const { dependencies, add, stored } = await prepare(t, answer);
    await add('task_1');
    for (let polls = 0; polls < 9; polls++) {
      await pollTask(dependencies, await stored('task_1'), never);
      dependencies.clock.ms += 240_000;
    }
    assert.equal((await stored('task_1')).state, 'SUBMITTED');
    answer.now = says(500, {});
    await pollTask(dependencies, await stored('task_1'), never);
    answer.now = says(410, { error: { message: 'no' } });
    await pollTask(dependencies, await stored('task_1'), never);
    assert.equal((await stored('task_1')).state, 'SUBMITTED', 'the half hour starts again after another fault');
    dependencies.clock.ms += 1_800_000;
    await pollTask(dependencies, await stored('task_1'), never);
    const ended = await stored('task_1');
    assert.deepEqual([ended.state, ended.error_code], ['FAILURE', 'task_unreachable']);
  });

  test('a key that is refused, for however long, says nothing about the task', async (t) => {
    const { dependencies, add, stored } = await prepare(t, { now: says(401, { error: { message: 'no' } }) });
    await add('task_1');
    for (let polls = 0; polls < 20; polls++) {
      await pollTask(dependencies, await stored('task_1'), never);
      dependencies.clock.ms += 600_000;
    }
    assert.equal((await stored('task_1')).state, 'SUBMITTED');
  });

  test('polls that failed before take nothing off the time for a video that is done but not there yet', async (t) => {
    const answer = { now: says(500, {}) };
    const { dependencies, add, stored } = await prepare(t, answer);
    await add('task_1');
    const look = async (): Promise<string> => {
      await pollTask(dependencies, await stored('task_1'), never);
      return (await stored('task_1')).state;
    };
    for (let polls = 0; polls < 6; polls++) await look();
    answer.now = says(200, { status: 'succeeded', content: {} });
    for (let polls = 0; polls < 4; polls++) assert.equal(await look(), 'SUBMITTED');
    answer.now = says(500, {});
    assert.equal(await look(), 'SUBMITTED');
    answer.now = says(200, { status: 'succeeded', content: {} });
    assert.equal(await look(), 'FAILURE');
    assert.equal((await stored('task_1')).error_code, 'no_video');
  });

  test('the provider’s words are stored whatever they hold, and cut between characters', async (t) => {
    const message = `\u0000${'x'.repeat(1_999)}😀 and so on`;
    const error = { code: 'a\u0000b\ud800', message };
    const { dependencies, add, stored } = await prepare(t, { now: says(200, { status: 'failed', error }) });
    await pollTask(dependencies, await add('task_1'), never);
    const { state, fail_reason, error_code } = await stored('task_1');
    assert.deepEqual([state, error_code], ['FAILURE', 'ab\ufffd']);
    assert.equal(fail_reason, 'x'.repeat(1_999));
    assert.deepEqual(dependencies.errors, []);
  });

  test('a count that cannot be true is not charged: the estimate is, and says so (promise M-10)', async (t) => {
    const done = { status: 'succeeded', content: { video_url: 'https://cdn.example/v.mp4' } };
    const { dependencies, add, stored, kinds } = await prepare(t, {
      now: says(200, { ...done, usage: { total_tokens: 1e15 } }),
    });
    const reported: string[] = [];
    const onError = (_error: unknown, what: string): void => void reported.push(what);
    await pollTask({ ...dependencies, onError }, await add('task_1'), never);
    assert.deepEqual(await kinds('task_1'), ['hold 100000', 'settle 90000', 'release 10000']);
    const { charge, arithmetic } = await stored('task_1');
    const line = await findRequest(dependencies.store.reads, 'req_task_1');
    assert.deepEqual([charge, line?.charge, line?.usage_source], [90_000n, 90_000n, 'bounded']);
    assert.match(arithmetic ?? '', /90 tokens .*count of 1000000000000000 is not believed/);
    assert.deepEqual(reported, ['usage of task_1 was not trusted'], 'it is reported, of each task');
  });

  test('a fault doubles the pause, a Retry-After is kept to, and an answer brings the pause back', async (t) => {
    const answer = { now: says(500, {}) };
    const { dependencies, add, stored } = await prepare(t, answer);
    await add('task_1');
    const pauses: number[] = [];
    const look = async (): Promise<void> => {
      await pollTask(dependencies, await stored('task_1'), never);
      pauses.push((await stored('task_1')).next_poll_at - dependencies.clock.ms);
    };
    await look();
    await look();
    answer.now = (response) => void response.writeHead(429, { 'retry-after': '17' }).end('{}');
    await look();
    answer.now = says(200, { status: 'queued' });
    await look();
    assert.deepEqual(pauses, [2_000, 4_000, 17_000, 1_000]);
  });

  test('a clock that is set back by an hour puts no look off by an hour (FT-10)', async (t) => {
    const { dependencies, add, stored } = await prepare(t, { now: succeeded });
    await add('task-1', { next_poll_at: dependencies.clock.ms + 2_000 });
    let looks = 0;
    const clock = { now: () => (++looks, dependencies.clock.ms) };
    const poller = new TaskPoller(
      { ...dependencies, clock, pollMs: 100 },
      { silenceSeconds: 10, onSucceeded: () => {} },
    );
    poller.start();
    t.after(() => poller.stop());
    const severalRounds = (): Promise<void> => {
      const before = looks;
      return waitUntil(() => looks > before + 6, 'it stands still');
    };
    await severalRounds();
    dependencies.clock.ms -= 3_600_000;
    await severalRounds();
    assert.equal((await stored('task-1')).state, 'SUBMITTED', 'not yet');
    dependencies.clock.ms += 3_000;
    await waitUntil(async () => (await stored('task-1')).state === 'SUCCESS', 'nobody looks');
  });

  test('while nothing is due the poller looks once a second, and sooner when it knows of something', async (t) => {
    const { dependencies, add } = await prepare(t, { now: says(200, { status: 'running' }) });
    const breathe = realTime(t);
    let looks = 0;
    const clock = { now: () => (++looks, dependencies.clock.ms) };
    const poller = new TaskPoller(
      { ...dependencies, clock, pollMs: 8_000 },
      { silenceSeconds: 10, onSucceeded: () => {} },
    );
    /** How much time of the poller passes until it looks again. */
    const untilLook = async (): Promise<number> => {
      const before = looks;
      for (let passed = 0; ; passed += 50) {
        await breathe();
        if (looks > before) return passed;
        t.mock.timers.tick(50);
      }
    };
    poller.start();
    assert.equal(await untilLook(), 250);
    const rest = await untilLook();
    assert.ok(rest >= 950 && rest <= 1_600, `it rests for ${rest} ms`);
    await add('task_1', { next_poll_at: dependencies.clock.ms + 500 });
    await untilLook();
    const known = await untilLook();
    assert.ok(known >= 450 && known < 950, `it comes after ${known} ms for what is due in 500`);
    await poller.stop();
  });

  test('the end of a task that somebody wants to hear of wakes the webhooks', async (t) => {
    const { dependencies, add } = await prepare(t, { now: succeeded });
    let wakes = 0;
    const reported = { ...dependencies, onDelivery: () => wakes++ };
    await pollTask(reported, await add('task_1'), never);
    assert.equal(wakes, 0, 'the account has no webhook');
    const task = await add('task_2');
    await dependencies.store.transaction((transaction) =>
      putWebhook(transaction, {
        account_id: task.account_id,
        url: 'https://hooks.example/',
        secret: '',
        created_at: 0,
      }),
    );
    await pollTask(reported, task, never);
    assert.equal(wakes, 1);
  });
});
