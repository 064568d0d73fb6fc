// One connection of a load job, and one request over it: counted when its answer is right, named when it is not.
import { setTimeout as pause } from 'node:timers/promises';
import { closingEvents, streamRequest, uploadRequest, wholeRequest } from '../wire/chat-request.ts';
import { type Answer, type Connection, RequestFailure } from './connection.ts';
import type { LoadJob } from './job.ts';
import type { Tally } from './tally.ts';

const leastAnswerBytes = 250;
const afterFailureMs = 5;

export interface Lane {
  connection: Connection;
  job: LoadJob;
  request: Buffer;
  tally: Tally;
}

export function makeRequest(job: LoadJob): Buffer {
  if ('shape' in job) return streamRequest(job.target, job.shape);
  return job.isForm === true ? uploadRequest(job.target, job.bodyBytes) : wholeRequest(job.target, job.bodyBytes);
}

/** The reason why an answer does not count, if there is one. */
function findFault(answer: Answer, job: LoadJob): string | undefined {
  if (answer.status !== 200) return `status ${answer.status}`;
  if (!('shape' in job)) {
    const mayBeShort = job.isForm === true || job.target.isForeign === true;
    return !mayBeShort && answer.bodyBytes < leastAnswerBytes ? 'short answer' : undefined;
  }
  if (!answer.done) return 'stream without its end';
  const expected = job.target.isForeign === true ? 1 : job.shape.chunks + closingEvents;
  return answer.events < expected ? `stream of ${answer.events} events instead of ${expected}` : undefined;
}

function countChunks({ events }: Answer, { shape, target }: Extract<LoadJob, { shape: unknown }>): number {
  return target.isForeign === true ? Math.max(1, events - closingEvents) : shape.chunks;
}

/** Whether the answer was right. A connection that fails waits a moment, so that it does not fail all the time. */
export async function sendOne(lane: Lane, onFirstPart?: () => void): Promise<boolean> {
  const { connection, job, request, tally } = lane;
  try {
    const answer = await connection.exchange(request, onFirstPart);
    const fault = findFault(answer, job);
    if (fault === undefined) {
      tally.requests += 1;
      if ('shape' in job) tally.chunks += countChunks(answer, job);
      return true;
    }
    tally.fail(fault);
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
    tally.fail(error.message);
  }
  await pause(afterFailureMs);
  return false;
}
