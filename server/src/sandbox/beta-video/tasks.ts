// What can be done with tasks: look at one, list them, cancel one that waits, delete one that has ended.
import { sendWhole } from '../http/send-whole.ts';
import type { Call } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { noteTask } from '../video/answer-created.ts';
import { answerPoll } from '../video/answer-poll.ts';
import type { VideoStudio } from '../video/studio.ts';
import { stateAt, type VideoTask } from '../video/task.ts';
import { refuseField, writeError } from './error.ts';
import { writeState, writeTask } from './write-task.ts';

const pageLimit = 500;

export async function getTask(call: Call, studio: VideoStudio): Promise<void> {
  const { exchange, now } = call;
  const task = findTask(call, studio);
  await answerPoll(call, task, {
    body: () => writeTask(task, { exchange, studio, now }),
    missing: async () => refuseUnknown(task.id),
    withOddState: () => writeTask(task, { exchange, studio, now, stateLabel: 'rescheduling' }),
    errorBody: writeError({ status: 500 }),
  });
}

export async function listTasks(call: Call, studio: VideoStudio): Promise<void> {
  const { exchange, behaviour, query, key, now } = call;
  const page = readNumber(query, 'page_num', 1);
  const size = readNumber(query, 'page_size', 10);
  const [status, model, tier] = ['status', 'model', 'service_tier'].map((name) => query.get(`filter.${name}`));
  const ids = query.getAll('filter.task_ids');
  const found = studio.tasks.list({ family: 'beta-video', key }).filter((task) => {
    const isNamed = ids.length === 0 || ids.includes(task.id);
    const isInState = status === null || writeState(task, stateAt(task, now)) === status;
    return (
      isNamed && isInState && (model ?? task.model) === task.model && task.echo['service_tier'] === (tier ?? 'default')
    );
  });
  const items = found.slice((page - 1) * size, page * size).map((task) => writeTask(task, { exchange, studio, now }));
  await sendWhole(
    exchange,
    { body: { items, total: found.length }, errorBody: writeError({ status: 500 }) },
    behaviour,
  );
}

/** The status of a refusal is not published; 409 is ours. */
export async function deleteTask(call: Call, studio: VideoStudio): Promise<void> {
  const { exchange, behaviour, now } = call;
  const task = findTask(call, studio);
  noteTask(exchange, task);
  const state = stateAt(task, now);
  if (state === 'running' || state === 'cancelled') {
    const message = `A task that is ${state} can be neither cancelled nor deleted.`;
    throw new Refusal({ status: 409, code: 'OperationDenied', message });
  }
  if (state === 'queued') task.cancelledAt = now;
  else studio.tasks.forget(task);
  await sendWhole(exchange, { body: {} }, behaviour);
}

function findTask({ path, key }: Call, studio: VideoStudio): VideoTask {
  const id = path.split('/').at(-1) ?? '';
  return studio.tasks.find({ family: 'beta-video', key }, id) ?? refuseUnknown(id);
}

function refuseUnknown(id: string): never {
  const message = `The specified task ${id.slice(0, 200)} is not found.`;
  throw new Refusal({ status: 404, code: 'ResourceNotFound', message });
}

function readNumber(query: URLSearchParams, name: string, fallback: number): number {
  const value = Number(query.get(name) ?? fallback);
  if (Number.isInteger(value) && value >= 1 && value <= pageLimit) return value;
  refuseField(name, `expected an integer from 1 to ${pageLimit}`);
}
