// Videos in the task style, as gateways offer them: JSON or a form, bytes from a path that wants the key.
// https://platform.openai.com/docs/api-reference/videos
import { sendWhole } from '../http/send-whole.ts';
import type { Call, Endpoint } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { sendResult } from '../video/result-files.ts';
import type { VideoStudio } from '../video/studio.ts';
import { changedAt, stateAt, type TaskState, type VideoTask } from '../video/task.ts';
import { type Check, checkFields, object, text, wordIn } from '../video-vendors/fields.ts';
import {
  acceptTask,
  findTask,
  isEnded,
  refuseByDirective,
  reportTask,
  type Vendor,
} from '../video-vendors/vendor-task.ts';
import { writeError } from './error.ts';

const vendor: Vendor = {
  family: 'openai',
  noMoney: { status: 429, code: 'insufficient_quota', message: 'You exceeded your current quota.' },
  blocked: { status: 400, code: 'moderation_blocked', message: 'Your request was blocked by our moderation system.' },
  unknown: { status: 404, code: 'not_found', message: 'Video not found.' },
  errorBody: writeError({ status: 500 }),
};

const anything: Check = () => true;
const checks: Readonly<Record<string, Check>> = {
  model: text,
  prompt: text,
  seconds: (value) => typeof value === 'string' && /^\d+$/.test(value),
  size: (value) => typeof value === 'string' && /^\d+x\d+$/.test(value),
  mode: text,
  input_reference: anything,
  images: Array.isArray,
  metadata: object,
};

const words: Readonly<Record<TaskState, string>> = {
  queued: 'queued',
  running: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  'bare-failure': 'failed',
  blocked: 'failed',
  expired: 'failed',
  cancelled: 'failed',
};
const errors: Partial<Record<TaskState, object>> = {
  failed: { code: 'video_generation_failed', message: 'The generation failed.' },
  blocked: { code: 'moderation_blocked', message: 'The video was blocked by our moderation system.' },
};

export function createVideoEndpoints(studio: VideoStudio): readonly Endpoint[] {
  const idIn = ({ path }: Call): string => path.split('/')[3] ?? '';
  return [
    { method: 'POST', path: /^\/v1\/videos$/, takes: 'json or form', answer: (call) => create(call, studio) },
    { method: 'GET', path: /^\/v1\/videos$/, answer: (call) => listVideos(call, studio) },
    {
      method: 'GET',
      path: /^\/v1\/videos\/[^/]+$/,
      answer: (call) =>
        reportTask(call, {
          studio,
          vendor,
          id: idIn(call),
          write: ({ task, state }, word) => writeVideo(task, state, { word, now: call.now }),
        }),
    },
    {
      method: 'DELETE',
      path: /^\/v1\/videos\/[^/]+$/,
      async answer(call) {
        const task = findTask(call, { studio, vendor, id: idIn(call) });
        studio.tasks.forget(task);
        await sendWhole(call.exchange, { body: { id: task.id, object: 'video.deleted', deleted: true } });
      },
    },
    {
      method: 'POST',
      path: /^\/v1\/videos\/[^/]+\/remix$/,
      takes: 'json or form',
      answer: (call) => remix(call, studio, idIn(call)),
    },
    { method: 'GET', path: /^\/v1\/videos\/[^/]+\/content$/, answer: (call) => content(call, studio, idIn(call)) },
  ];
}

/** Of a finished video: all but the prompt stays. */
async function remix(call: Call, studio: VideoStudio, id: string): Promise<void> {
  refuseByDirective(call, vendor);
  const source = findTask(call, { studio, vendor, id });
  if (stateAt(source, call.now) !== 'succeeded')
    throw new Refusal({ status: 400, code: 'invalid_value', message: 'The video is not completed.' });
  const { prompt } = checkFields(call.body, {
    checks: { prompt: text },
    required: ['prompt'],
    refusal: (field, why) => ({ status: 400, code: 'invalid_value', message: `'${field}' ${why}.` }),
  });
  const { model, seconds, width, height } = source;
  const echo = { remixed_from_video_id: source.id };
  await acceptTask(call, {
    studio,
    vendor,
    wanted: { model, prompt: String(prompt), seconds, width, height, echo },
    answer: {
      body: (task) => writeVideo(task, 'queued', { now: call.now }),
      bodyWithoutId: { object: 'video', status: 'queued' },
    },
  });
}

async function create(call: Call, studio: VideoStudio): Promise<void> {
  refuseByDirective(call, vendor);
  const body = checkFields(call.body, {
    checks,
    required: ['model', 'prompt'],
    refusal: (field, why) => ({ status: 400, code: 'invalid_value', message: `'${field}' ${why}.` }),
  });
  const [width, height] = wordIn(body, 'size', '720x1280').split('x').map(Number);
  await acceptTask(call, {
    studio,
    vendor,
    wanted: {
      model: String(body['model']),
      prompt: String(body['prompt']),
      seconds: Number(body['seconds'] ?? 4),
      width: width ?? 720,
      height: height ?? 1280,
    },
    answer: {
      body: (task) => writeVideo(task, 'queued', { now: call.now }),
      bodyWithoutId: { object: 'video', status: 'queued' },
    },
  });
}

async function listVideos(call: Call, studio: VideoStudio): Promise<void> {
  const { exchange, behaviour, query, key, now } = call;
  const tasks = studio.tasks.list({ family: vendor.family, key }).slice(0, Number(query.get('limit') ?? 20));
  const data = tasks.map((task) => writeVideo(task, stateAt(task, now), { now }));
  await sendWhole(
    exchange,
    { body: { object: 'list', data, has_more: false }, errorBody: vendor.errorBody },
    behaviour,
  );
}

function writeVideo(
  task: VideoTask,
  state: TaskState,
  { word, now }: { word?: string | undefined; now: number },
): object {
  return {
    id: task.id,
    object: 'video',
    model: task.model,
    status: word ?? words[state],
    progress: isEnded(state) ? 100 : state === 'running' ? 40 : 0,
    prompt: task.prompt,
    created_at: Math.floor(task.createdAt / 1000),
    completed_at: isEnded(state) ? Math.floor(changedAt(task, now) / 1000) : null,
    expires_at: null,
    seconds: String(task.seconds),
    size: `${task.width}x${task.height}`,
    remixed_from_video_id: null,
    ...task.echo,
    error: errors[state] ?? null,
  };
}

/** A task that has succeeded without a video (`no-url`) has nothing here. */
async function content(call: Call, studio: VideoStudio, id: string): Promise<void> {
  const task = findTask(call, { studio, vendor, id });
  if (stateAt(task, call.now) !== 'succeeded' || task.behaviour.omitUrl) throw new Refusal(vendor.unknown);
  task.downloads += 1;
  const variant = call.query.get('variant') ?? 'video';
  await sendResult(call.exchange, task, variant === 'video' ? 'video' : 'picture');
}
