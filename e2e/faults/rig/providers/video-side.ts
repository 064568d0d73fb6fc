// The part of the rig that makes videos: a model, a scripted provider, submits, and what must be true of tasks at
// the end.
import assert from 'node:assert/strict';
import type { StoreSettings } from '../../../../server/src/store/open-store.ts';
import type { Store } from '../../../../server/src/store/store.ts';
import { startVideoStub, type VideoStub } from '../../../support/video-stub.ts';
import { pause, waitUntil } from '../../../support/wait.ts';
import type { Operator } from '../../operator.ts';
import { type Books, withStore } from '../../reconcile.ts';

export interface VideoSide {
  model: string;
  stub: VideoStub;
}

const MODEL = 'video-under-fire';
/** Tasks are looked at often, so that tests are short. */
export const QUICK_POLLS = { TOLLGATE_TASK_POLL_MS: '100' };
/** 108,900 tokens at 7 per million, in nano-units. */
const VIDEO_CHARGE = 762_300_000n;

export async function startStubbedVideos(operator: Operator): Promise<VideoSide> {
  const stub = await startVideoStub();
  await operator.send('PUT', `/models/${MODEL}`, {
    price: { unit: 'video_tokens', generate: '7', video_input: '4.3' },
  });
  await operator.send('POST', '/channels', {
    name: 'videos',
    provider: 'beta-video',
    base_url: stub.baseUrl,
    keys: ['stub-key-0001'],
    models: { [MODEL]: 'upstream-model' },
  });
  return { model: MODEL, stub };
}

export interface Submitted {
  status: number | undefined;
  id: string | undefined;
}

/** Never throws; no status means that nobody answered. */
export async function submitVideo(address: string, key: string, prompt: string): Promise<Submitted> {
  try {
    const response = await fetch(`${address}/v1/video/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, prompt }),
      signal: AbortSignal.timeout(30_000),
    });
    const { id } = (await response.json()) as { id?: string };
    return { status: response.status, id: response.status === 200 ? id : undefined };
  } catch {
    return { status: undefined, id: undefined };
  }
}

/** After it, the others take a silent process for dead. */
const DEAD_MS = 12_000;

/**
 * Until no hold is open: those of the dead end when they are known to be dead. Submits that nobody can tell apart end by
 * their deadline, which is brought near then. Says how many were, and after how long the last hold ended.
 */
export function untilAllEnded(
  settings: StoreSettings,
  { deadAt, timeoutMs = 60_000 }: { deadAt: number; timeoutMs?: number },
): Promise<{ lost: number; waitedMs: number }> {
  return withStore(settings, async (store) => {
    let lost = 0;
    for (const startedAt = Date.now(); ;) {
      const open = await store.reads.selectFrom('holds').select('id').execute();
      if (open.length === 0) return { lost, waitedMs: Date.now() - deadAt };
      assert.ok(Date.now() - startedAt < timeoutMs, `${open.length} holds are still open after ${timeoutMs} ms`);
      if (Date.now() - deadAt > DEAD_MS) lost += await bringDeadlinesIn(store);
      await pause(200);
    }
  });
}

/** At once, for callers that wait by other means. */
export function bringDeadlines(settings: StoreSettings): Promise<number> {
  return withStore(settings, bringDeadlinesIn);
}

async function bringDeadlinesIn(store: Store): Promise<number> {
  const { numUpdatedRows } = await store.transaction((transaction) =>
    transaction
      .updateTable('tasks')
      .set({ deadline: 1, next_poll_at: 1 })
      .where('state', 'in', ['SUBMITTING', 'SUBMIT_UNKNOWN'])
      .where('deadline', '>', 1)
      .executeTakeFirst(),
  );
  return Number(numUpdatedRows);
}

/** A look that failed leaves its task to its lease, whose end is brought near here. */
export async function bringLeases(settings: StoreSettings): Promise<void> {
  await withStore(settings, (store) =>
    store.transaction((transaction) =>
      transaction
        .updateTable('tasks')
        .set({ lease_until: 1, next_poll_at: 1 })
        .where('completed_at', 'is', null)
        .execute(),
    ),
  );
}

export interface TaskFacts {
  id: string;
  model: string;
  state: string;
  charge: bigint | null;
  upstream_id: string | null;
  ends: number;
}

export function readTasks(settings: StoreSettings): Promise<TaskFacts[]> {
  return withStore(settings, async ({ reads }) => {
    const tasks = await reads.selectFrom('tasks').select(['id', 'model', 'state', 'charge', 'upstream_id']).execute();
    const events = await reads.selectFrom('task_events').select(['task_id', 'status']).execute();
    const ends = Map.groupBy(
      events.filter(({ status }) => status === 'SUCCESS' || status === 'FAILURE'),
      ({ task_id }) => task_id,
    );
    return tasks.map((task) => ({ ...task, ends: ends.get(task.id)?.length ?? 0 }));
  });
}

export async function untilTasksEnded(settings: StoreSettings, timeoutMs: number): Promise<void> {
  await waitUntil(
    async () => {
      await pause(200);
      return (await readTasks(settings)).every(({ ends }) => ends > 0);
    },
    'tasks have not ended',
    timeoutMs,
  );
}

/** Promises V-01, V-03, V-04, V-05: every answered task is there, ended once, and its money moved once with it. */
export function checkTasks(
  tasks: readonly TaskFacts[],
  books: Books,
  { stub, ids }: { stub: VideoStub; ids: readonly string[] },
): void {
  const known = new Set(tasks.map(({ id }) => id));
  const settles = Map.groupBy(
    books.entries.filter(({ kind }) => kind === 'settle'),
    ({ task_id }) => task_id,
  );
  for (const id of ids) assert.ok(known.has(id), `${id} was answered and is gone`);
  for (const { id, state, charge, ends } of tasks) {
    assert.ok(state === 'SUCCESS' || state === 'FAILURE', `${id} is ${state}`);
    assert.equal(ends, 1, `${id} ended ${ends} times`);
    assert.deepEqual(
      (settles.get(id) ?? []).map(({ amount }) => amount),
      state === 'SUCCESS' ? [VIDEO_CHARGE] : [],
      `settles of ${state} ${id}`,
    );
    assert.equal(charge, state === 'SUCCESS' ? VIDEO_CHARGE : 0n);
  }
  const prompts = [...stub.tasks.values()].map(({ body }) => JSON.stringify(body.content));
  assert.equal(new Set(prompts).size, prompts.length, 'a task was submitted twice');
  const upstreamIds = tasks.flatMap(({ upstream_id }) => upstream_id ?? []);
  assert.equal(new Set(upstreamIds).size, upstreamIds.length, 'two tasks have the same video');
}
