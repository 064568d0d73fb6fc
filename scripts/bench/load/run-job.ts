// Runs one load job to its end. A job is bounded in time: what has not been answered long after its end is failed,
// and a connection that keeps failing waits between its attempts.
import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from './connection.ts';
import type { LoadJob, LoadResult } from './job.ts';
import { type Lane, makeRequest, sendOne } from './lane.ts';
import { countOpen, openIdle, spreadAddress } from './run-idle.ts';
import { PacedLoad } from './run-paced.ts';
import { SlowReaders } from './run-slow.ts';
import { Tally } from './tally.ts';

const untimedRequests = 20;
const latenessSeconds = 20;

async function runLoop(lanes: readonly Lane[], seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000;
  const runLane = async (lane: Lane): Promise<void> => {
    do await sendOne(lane);
    while (performance.now() < end);
  };
  await Promise.all(lanes.map(runLane));
}

async function runStreams(lanes: readonly Lane[], { seconds, everyMs }: { seconds: number; everyMs: number }) {
  const end = performance.now() + seconds * 1000;
  const runLane = async (lane: Lane, index: number): Promise<void> => {
    // Streams begin at different moments: chunks of all of them at one moment would be read in one go.
    await pause((index * everyMs) / lanes.length);
    while (performance.now() < end) {
      const before = performance.now();
      await sendOne(lane, () => lane.tally.time(before));
    }
  };
  await Promise.all(lanes.map(runLane));
}

async function runTimed(lane: Lane, { count, seconds }: { count: number; seconds: number }): Promise<void> {
  const start = performance.now();
  const end = start + seconds * 1000;
  const warm = start + seconds * 200;
  for (let sent = 0; sent === 0 || (sent < untimedRequests && performance.now() < warm); sent += 1) await sendOne(lane);
  for (let sent = 0; sent < count && performance.now() < end; sent += 1) {
    const before = performance.now();
    if (await sendOne(lane)) lane.tally.time(before);
  }
}

async function runOpen(lanes: readonly Lane[], onAllOpen: () => void): Promise<void> {
  let begun = 0;
  const countBegun = (): void => {
    begun += 1;
    if (begun === lanes.length) onAllOpen();
  };
  const runLane = async (lane: Lane, index: number): Promise<void> => {
    await pause(index); // One new connection per millisecond overflows no accept queue.
    await sendOne(lane, countBegun);
  };
  await Promise.all(lanes.map(runLane));
}

function expectedSeconds(job: LoadJob): number {
  if (job.kind === 'slow') return job.seconds + 30 + job.connections / 200;
  if (job.kind === 'idle') return job.seconds + job.connections / 200;
  const streamSeconds = 'shape' in job ? (job.shape.chunks * job.shape.everyMs) / 1000 : 0;
  return streamSeconds + (job.kind === 'open' ? job.connections / 1000 : job.seconds);
}

interface Work {
  run: () => Promise<void>;
  close: (reason: string) => void;
}

function planLanes(job: Exclude<LoadJob, { kind: 'paced' | 'slow' }>, tally: Tally, onAllOpen: () => void): Work {
  const request = makeRequest(job);
  const makeLane = (localAddress?: string): Lane => {
    return { connection: new Connection(job.target, localAddress), job, request, tally };
  };
  const isSpread = job.kind === 'idle' && job.target.host === '127.0.0.1';
  const count = job.kind === 'timed' ? 0 : job.connections;
  const lanes = Array.from({ length: count }, (_, index) => makeLane(isSpread ? spreadAddress(index) : undefined));
  const single = makeLane();
  const run = async (): Promise<void> => {
    if (job.kind === 'loop') return runLoop(lanes, job.seconds);
    if (job.kind === 'streams') return runStreams(lanes, { seconds: job.seconds, everyMs: job.shape.everyMs });
    if (job.kind === 'open') return runOpen(lanes, onAllOpen);
    if (job.kind === 'idle') {
      await openIdle(lanes);
      onAllOpen();
    }
    await runTimed(single, job);
    tally.kept = countOpen(lanes.map(({ connection }) => connection));
  };
  return { run, close: (reason) => [single, ...lanes].forEach(({ connection }) => connection.close(reason)) };
}

function plan(job: LoadJob, tally: Tally, onAllOpen: () => void): Work {
  if (job.kind === 'paced') {
    const paced = new PacedLoad(job, makeRequest(job), tally);
    return { run: () => paced.run(), close: (reason) => paced.close(reason) };
  }
  if (job.kind === 'slow') {
    const readers = new SlowReaders(job, makeRequest(job), tally);
    return { run: () => readers.run(onAllOpen), close: () => readers.close() };
  }
  return planLanes(job, tally, onAllOpen);
}

export async function runJob(job: LoadJob, onAllOpen: () => void): Promise<LoadResult> {
  const tally = new Tally();
  const work = plan(job, tally, onAllOpen);
  const lateMs = (expectedSeconds(job) + latenessSeconds) * 1000;
  const late = setTimeout(() => work.close('not answered in time'), lateMs);
  await work.run();
  clearTimeout(late);
  const result = tally.result();
  work.close('closed');
  return result;
}
