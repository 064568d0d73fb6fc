// Video tasks under two pollers of which one sleeps (FT-23), lost submit answers (FT-24) and senseless polls (FT-25).
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StubState, SubmitScript } from '../../support/video-stub.ts';
import { pause, waitUntil } from '../../support/wait.ts';
import { BOTH, type Fault } from '../command/fault.ts';
import { readBooks, withStore } from '../reconcile.ts';
import type { Sums } from '../rig/records/four-sums.ts';
import type { Rig } from '../rig/rig.ts';
import {
  bringDeadlines,
  checkTasks,
  QUICK_POLLS,
  readTasks,
  submitVideo,
  untilTasksEnded,
  type VideoSide,
} from '../rig/providers/video-side.ts';

const START = { environment: QUICK_POLLS };
/** Longer than the silence after which a process has lost its leases. */
const SLEEP_MS = 14_000;
/** Of the poller that is stopped: with none there is nothing to take over. */
const LEAST_LEASES = 10;

async function submitMany(rig: Rig, count: number, from = 0): Promise<string[]> {
  const ids: string[] = [];
  let started = 0;
  const clients = Array.from({ length: 16 }, async () => {
    while (started < count) {
      const number = started++;
      const { address } = rig.gateway(number % rig.gateways.length);
      const { id, status } = await submitVideo(address, rig.key, `video ${from + number}`);
      assert.equal(status, 200, `submit ${number} was answered ${status}`);
      if (id !== undefined) ids.push(id);
    }
  });
  await Promise.all(clients);
  return ids;
}

function videosOf(rig: Rig): VideoSide {
  assert.ok(rig.videos !== undefined);
  return rig.videos;
}

async function checkAll(rig: Rig, ids: readonly string[]): Promise<Sums> {
  checkTasks(await readTasks(rig.settings), await readBooks(rig.settings), { stub: videosOf(rig).stub, ids });
  return rig.reconcile({ videos: ids });
}

/** Stopped in the middle of a write, a process would keep SQLite's file from everybody: that is another fault. */
async function stopOutsideWrites({ settings }: Rig, child: ChildProcess): Promise<void> {
  for (;;) {
    child.kill('SIGSTOP');
    if (settings.databaseUrl !== undefined || isUnlocked(join(settings.dataFolder, 'tollgate.db'))) return;
    child.kill('SIGCONT');
    await pause(20);
  }
}

function isUnlocked(file: string): boolean {
  const database = new DatabaseSync(file, { timeout: 1_000 });
  try {
    database.exec('begin immediate');
    database.exec('rollback');
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}

/** Tasks that this process has leased. */
function leasesOf({ settings }: Rig, owner: string): Promise<string[]> {
  return withStore(settings, async ({ reads }) => {
    const rows = await reads.selectFrom('tasks').select('id').where('lease_owner', '=', owner).execute();
    return rows.map(({ id }) => id);
  });
}

function processIds({ settings }: Rig): Promise<string[]> {
  return withStore(settings, async ({ reads }) => {
    const rows = await reads.selectFrom('processes').select('id').execute();
    return rows.map(({ id }) => id);
  });
}

/** Starts it again, and tells by which name it takes its leases. */
async function startSleeper(rig: Rig, index: number): Promise<{ child: ChildProcess; owner: string }> {
  const before = await processIds(rig);
  const { child } = await rig.replace(index, 'SIGTERM');
  const owner = (await processIds(rig)).find((id) => !before.includes(id));
  assert.ok(owner !== undefined, 'the gateway does not say that it lives');
  return { child, owner };
}

/** Stopped while it works on tasks. */
async function stopAtWork(rig: Rig, { child, owner }: { child: ChildProcess; owner: string }): Promise<string[]> {
  for (let tries = 0; tries < 50; tries++) {
    await stopOutsideWrites(rig, child);
    const leased = await leasesOf(rig, owner);
    if (leased.length >= LEAST_LEASES) return leased;
    child.kill('SIGCONT');
    await pause(20);
  }
  throw new Error(`the poller to be stopped has never leased ${LEAST_LEASES} tasks`);
}

export const sleepingPoller: Fault = {
  id: 'FT-23',
  title: 'two pollers on the same tasks, one stopped in the middle and continued after its leases moved',
  stores: BOTH,
  rounds: 1_000,
  async run(bench) {
    const rig = await bench.startRig({ gateways: 2, videos: true, start: START });
    const { stub } = videosOf(rig);
    const sleeper = await startSleeper(rig, 1);
    stub.script = ['queued', 'running']; // none ends before the poller sleeps
    const ids = await submitMany(rig, bench.rounds);
    await waitUntil(() => stub.polls > bench.rounds / 10, 'nobody polls', 30_000);
    const leased = await stopAtWork(rig, sleeper);
    for (const task of stub.tasks.values()) task.script = ['running', 'succeeded'];
    await pause(SLEEP_MS);
    const kept = await leasesOf(rig, sleeper.owner);
    assert.equal(kept.length, 0, `${kept.length} of ${leased.length} leases of the sleeper have not moved`);
    sleeper.child.kill('SIGCONT');
    await untilTasksEnded(rig.settings, 60_000);
    await pause(1_000); // what the sleeper still wants to write
    bench.note(
      `${ids.length} tasks, ${leased.length} of them leased by a poller that was stopped for ${SLEEP_MS} ms, all taken over; ${stub.polls} polls`,
    );
    return checkAll(rig, ids);
  },
};

const LOSSES: readonly SubmitScript[] = ['reset', 'no-id', 'bare-502'];

export const lostSubmit: Fault = {
  id: 'FT-24',
  title: 'the provider takes a submit and the answer is lost',
  stores: BOTH,
  rounds: 30,
  fullRounds: 100,
  async run(bench) {
    const rig = await bench.startRig({ videos: true, start: START });
    const { stub } = videosOf(rig);
    const ids: string[] = [];
    for (let round = 0; round < bench.rounds; round++) {
      // Of three, one is lost: the breaker leaves the channel open.
      stub.submit = (round % 3 === 0 ? LOSSES[(round / 3) % LOSSES.length] : undefined) ?? 'taken';
      stub.script = round % 2 === 0 ? ['running', 'failed'] : ['queued', 'succeeded'];
      const before = stub.submits;
      const { id, status } = await submitVideo(
        rig.gateway(round % rig.gateways.length).address,
        rig.key,
        `lost ${round}`,
      );
      assert.ok(status === 200 && id !== undefined, `a submit whose answer was lost is a task, not ${status}`);
      ids.push(id);
      await pause(100);
      assert.equal(stub.submits - before, 1, 'a second submit');
    }
    await pause(3_000);
    const found = (await readTasks(rig.settings)).filter(({ ends }) => ends > 0).length;
    const lost = await bringDeadlines(rig.settings);
    await untilTasksEnded(rig.settings, 30_000);
    assert.equal(stub.submits, bench.rounds, 'a task was submitted twice');
    bench.note(
      `${found} of ${bench.rounds} had ended or were found again, ${lost} failed at their deadline and were refunded`,
    );
    return checkAll(rig, ids);
  },
};

const ODD_POLLS: StubState[] = [500, 401, 404, 'html', 'empty', 'odd', 'running', 'queued', 'reset', 429];

export const oddPolls: Fault = {
  id: 'FT-25',
  title: 'polls answered with errors, HTML, nothing, unknown and backward states, and another end after the end',
  stores: BOTH,
  rounds: 40,
  fullRounds: 200,
  async run(bench) {
    const rig = await bench.startRig({ videos: true, start: START });
    const { stub } = videosOf(rig);
    const ids: string[] = [];
    for (let round = 0; round < bench.rounds; round++) {
      const odd = Array.from({ length: 3 }, () => ODD_POLLS[bench.random.whole(0, ODD_POLLS.length - 1)] ?? 'odd');
      const end = round % 2 === 0 ? 'succeeded' : 'failed';
      stub.script = [...odd, end, end === 'failed' ? 'succeeded' : 'failed'];
      ids.push(...(await submitMany(rig, 1, round)));
    }
    const watched = watchStatuses(rig, ids);
    await untilTasksEnded(rig.settings, 60_000);
    await pause(2_000); // no further poll may change an end
    const steps = await watched.end();
    for (const [id, statuses] of steps) assert.ok(isForward(statuses), `${id} went ${statuses.join(', ')}`);
    const states = Map.groupBy(await readTasks(rig.settings), ({ state }) => state);
    assert.equal(states.get('SUCCESS')?.length, Math.ceil(bench.rounds / 2));
    bench.note(
      `${states.get('SUCCESS')?.length ?? 0} succeeded, ${states.get('FAILURE')?.length ?? 0} failed, as their provider said at last`,
    );
    return checkAll(rig, ids);
  },
};

const ORDER = ['SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE'];

function isForward(statuses: readonly string[]): boolean {
  const ranks = statuses.map((status) => ORDER.indexOf(status));
  return ranks.every((rank, index) => rank >= 0 && (index === 0 || rank >= (ranks[index - 1] ?? 0)));
}

/** What a client sees that looks again and again. */
function watchStatuses(rig: Rig, ids: readonly string[]): { end(): Promise<Map<string, string[]>> } {
  const seen = new Map<string, string[]>(ids.map((id) => [id, []]));
  const over = new AbortController();
  const looking = (async () => {
    while (!over.signal.aborted) {
      for (const [id, statuses] of seen) {
        const response = await fetch(`${rig.gateway().address}/v1/video/generations/${id}`, {
          headers: { authorization: `Bearer ${rig.key}` },
        });
        const { data } = (await response.json()) as { data: { status: string } };
        if (data.status !== statuses.at(-1)) statuses.push(data.status);
      }
      await pause(50);
    }
  })();
  return {
    async end() {
      over.abort();
      await looking;
      return seen;
    },
  };
}
