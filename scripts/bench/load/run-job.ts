// Runs one load job to its end. A job is bounded in time: what has not been answered long after its end is failed,
// and a connection that keeps failing waits between its attempts.
import { setTimeout as pause } from 'node:timers/promises';
import { closingEvents, streamRequest, wholeRequest } from '../wire/chat-request.ts';
import { type Answer, Connection, RequestFailure } from './connection.ts';
import type { LoadJob, LoadResult } from './job.ts';
import { Tally } from './tally.ts';

const leastAnswerBytes = 400;
const untimedRequests = 20;
const latenessSeconds = 20;

/** The reason why an answer does not count, if there is one. */
function findFault(answer: Answer, job: LoadJob): string | undefined {
  if (answer.status !== 200) return `status ${answer.status}`;
  if (!('shape' in job)) return answer.bodyBytes < leastAnswerBytes ? 'short answer' : undefined;
  if (!answer.done) return 'stream without its end';
  const expected = job.shape.chunks + closingEvents;
  return answer.events < expected ? `stream of ${answer.events} events instead of ${expected}` : undefined;
}

interface Lane {
  connection: Connection;
  job: LoadJob;
  request: Buffer;
  tally: Tally;
}

async function sendOne({ connection, job, request, tally }: Lane, onFirstPart?: () => void): Promise<void> {
  try {
    const answer = await connection.exchange(request, onFirstPart);
    const fault = findFault(answer, job);
    if (fault === undefined) {
      tally.requests += 1;
      if ('shape' in job) tally.chunks += job.shape.chunks;
    } else {
      tally.fail(fault);
      await pause(5);
    }
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
    tally.fail(error.message);
    await pause(5);
  }
}

async function runLoop(lanes: readonly Lane[], seconds: number, spreadMs: number): Promise<void> {
  const end = performance.now() + seconds * 1000;
  const runLane = async (lane: Lane, index: number): Promise<void> => {
    // Streams begin at different moments: chunks of all of them at one moment would be read in one go.
    if (spreadMs > 0) await pause((index * spreadMs) / lanes.length);
    while (performance.now() < end) await sendOne(lane);
  };
  await Promise.all(lanes.map(runLane));
}

async function runTimed(lane: Lane, count: number): Promise<void> {
  for (let sent = 0; sent < untimedRequests; sent += 1) await sendOne(lane);
  for (let sent = 0; sent < count; sent += 1) {
    const before = performance.now();
    await sendOne(lane);
    lane.tally.times.push((performance.now() - before) * 1000);
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
  const streamSeconds = 'shape' in job ? (job.shape.chunks * job.shape.everyMs) / 1000 : 0;
  if (job.kind === 'timed') return job.count / 50;
  return streamSeconds + (job.kind === 'open' ? job.connections / 1000 : job.seconds);
}

export async function runJob(job: LoadJob, onAllOpen: () => void): Promise<LoadResult> {
  const tally = new Tally();
  const request = 'shape' in job ? streamRequest(job.target, job.shape) : wholeRequest(job.target, job.bodyBytes);
  const count = job.kind === 'timed' ? 1 : job.connections;
  const lanes = Array.from({ length: count }, () => ({
    connection: new Connection(job.target),
    job,
    request,
    tally,
  }));
  const closeAll = (reason: string): void => lanes.forEach((lane) => lane.connection.close(reason));
  const late = setTimeout(() => closeAll('not answered in time'), (expectedSeconds(job) + latenessSeconds) * 1000);
  const [first] = lanes;
  if (job.kind === 'timed' && first !== undefined) await runTimed(first, job.count);
  else if (job.kind === 'loop') await runLoop(lanes, job.seconds, 0);
  else if (job.kind === 'streams') await runLoop(lanes, job.seconds, job.shape.everyMs);
  else if (job.kind === 'open') await runOpen(lanes, onAllOpen);
  clearTimeout(late);
  const result = tally.result();
  closeAll('closed');
  return result;
}
