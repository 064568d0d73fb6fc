// POST /api/v3/contents/generations/tasks: accepts a task. Media are never fetched.
import { randomBytes } from 'node:crypto';
import type { Call } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { answerCreated } from '../video/answer-created.ts';
import type { VideoStudio } from '../video/studio.ts';
import { stateAt, type VideoTask } from '../video/task.ts';
import { sendCallbacks } from './callbacks.ts';
import { refuseField, writeError } from './error.ts';
import { checkTaskRequest, settleTaskRequest, type TaskRequest } from './request/task-request.ts';

const usualClipMs = 5000;
const promptKept = 5000;

export async function createTask(call: Call, studio: VideoStudio): Promise<void> {
  const { behaviour } = call;
  const checked = checkTaskRequest(call.body);
  if (behaviour.inputBlocked) {
    const message = 'The request failed because the input text may contain sensitive information.';
    throw new Refusal({ status: 400, code: 'InputTextSensitiveContentDetected', message });
  }
  const draft = findDraft(call, studio, checked.scene.draftId);
  const request = settleTaskRequest(checked, behaviour.clipMs ?? usualClipMs);
  const task = makeTask(call, request, draft);
  const identifier = request.body['safety_identifier'];
  const more = identifier === undefined ? {} : { safety_identifier: identifier };
  sendCallbacks(call, studio, task, request.body['callback_url']);
  const errorBody = writeError({ status: 500 });
  await answerCreated(call, studio, task, { body: { id: task.id, ...more }, bodyWithoutId: { id: '' }, errorBody });
}

function makeTask(call: Call, request: TaskRequest, draft: VideoTask | undefined): VideoTask {
  const { exchange, behaviour, key, now } = call;
  const { model, scene, width, height, seconds, echo, tokens, body } = request;
  const tools = body['tools'] === undefined ? {} : { tool_usage: { web_search: 1 } };
  const total = behaviour.omitTotal ? {} : { total_tokens: tokens };
  return {
    id: makeId(now),
    fileName: randomBytes(16).toString('hex'),
    family: 'beta-video',
    key,
    model: model.name,
    prompt: (draft?.prompt ?? scene.prompt).slice(0, promptKept),
    width,
    height,
    seconds: draft?.seconds ?? seconds,
    echo: draft === undefined ? echo : { ...echo, draft_task_id: draft.id },
    usage: { completion_tokens: tokens, ...total, ...tools },
    wantsLastFrame: body['return_last_frame'] === true,
    createdAt: now,
    expiresAt: now + Number(echo['execution_expires_after']) * 1000,
    behaviour,
    cancelledAt: undefined,
    recordId: exchange.record.id,
    polls: 0,
    downloads: 0,
    callbacks: 0,
  };
}

function findDraft({ key, now }: Call, studio: VideoStudio, id: string | undefined): VideoTask | undefined {
  if (id === undefined) return undefined;
  const draft = studio.tasks.find({ family: 'beta-video', key }, id);
  if (draft?.echo['draft'] === true && stateAt(draft, now) === 'succeeded') return draft;
  refuseField('content[0].draft_task.id', 'no finished draft has this id');
}

function makeId(now: number): string {
  const moment = new Date(now).toISOString().replace(/\D/g, '').slice(0, 14);
  return `cgt-${moment}-${randomBytes(5).toString('hex')}`;
}
