// What can be done with tasks: look at one, list them, cancel one that waits.
import { randomUUID } from 'node:crypto';
import { sendWhole } from '../http/send-whole.ts';
import type { Call } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { noteTask } from '../video/answer-created.ts';
import { answerPoll } from '../video/answer-poll.ts';
import type { VideoStudio } from '../video/studio.ts';
import { stateAt, type VideoTask } from '../video/task.ts';
import { writeError } from './error.ts';
import { refuseField } from './refuse-field.ts';
import { writeState, writeTask, writeUnknown } from './write-task.ts';

export async function getTask(call: Call, studio: VideoStudio): Promise<void> {
  const { exchange, behaviour } = call;
  const { id, task } = findTask(call, studio);
  const errorBody = writeError({ status: 500 });
  const missing = (): Promise<void> => sendWhole(exchange, { body: writeUnknown(id), errorBody }, behaviour);
  if (task === undefined) return missing();
  await answerPoll(call, task, {
    body: () => writeTask(call, studio, task),
    missing,
    withOddState: () => writeTask(call, studio, task, 'RESCHEDULING'),
    errorBody,
  });
}

export async function cancelTask(call: Call, studio: VideoStudio): Promise<void> {
  const { exchange, behaviour, now } = call;
  const { task } = findTask(call, studio);
  if (task === undefined || stateAt(task, now) !== 'queued') {
    const message = 'Failed to cancel the task: only a pending task can be cancelled.';
    throw new Refusal({ status: 400, code: 'UnsupportedOperation', message });
  }
  noteTask(exchange, task);
  task.cancelledAt = now;
  await sendWhole(exchange, { body: { request_id: randomUUID() } }, behaviour);
}

export async function listTasks(call: Call, studio: VideoStudio): Promise<void> {
  const { exchange, behaviour, query, key, now } = call;
  const page = readNumber(query, 'page_no', 1);
  const size = readNumber(query, 'page_size', 10);
  const [status, model] = [query.get('status'), query.get('model_name')];
  const found = studio.tasks.list({ family: 'alpha', key }).filter((task) => {
    const isWanted = status === null || writeState(task, stateAt(task, now)) === status;
    return isWanted && (model === null || task.model === model);
  });
  const body = {
    total: found.length,
    data: found.slice((page - 1) * size, page * size).map((task) => writeRow(task, now)),
    total_page: Math.ceil(found.length / size),
    page_no: page,
    request_id: randomUUID(),
    page_size: size,
  };
  await sendWhole(exchange, { body, errorBody: writeError({ status: 500 }) }, behaviour);
}

function findTask({ path, key }: Call, studio: VideoStudio): { id: string; task: VideoTask | undefined } {
  const id = path.split('/')[2] ?? '';
  return { id, task: studio.tasks.find({ family: 'alpha', key }, id) };
}

function writeRow(task: VideoTask, now: number): object {
  const { id, model, createdAt } = task;
  return {
    task_id: id,
    model_name: model,
    status: writeState(task, stateAt(task, now)),
    gmt_create: createdAt,
    start_time: createdAt,
    region: 'sandbox',
    user_api_unique_key: 'apikey:v1:aigc:video-generation:video-synthesis',
  };
}

function readNumber(query: URLSearchParams, name: string, fallback: number): number {
  const value = Number(query.get(name) ?? fallback);
  if (!Number.isInteger(value) || value < 1 || value > 100) refuseField(name, 'must be an integer from 1 to 100');
  return value;
}
