// MiniMax as the sandbox speaks it: the first API refuses with 200 and a code, the second with statuses.
// https://platform.minimax.io/docs/api-reference
import { randomInt } from 'node:crypto';
import { isObject } from '../fields/refuse.ts';
import { sendWhole } from '../http/send-whole.ts';
import type { Call, SandboxProtocol } from '../protocol.ts';
import type { Head } from '../http/head.ts';
import { type Failure, Refusal } from '../refusal.ts';
import { spoilUsage } from '../text/spoil-usage.ts';
import { writeVideoUrl } from '../video/result-link.ts';
import type { VideoStudio } from '../video/studio.ts';
import { stateAt, type TaskState } from '../video/task.ts';
import { among, type Check, checkFields, flag, link, list, shape, text, whole, wordIn } from './fields.ts';
import {
  acceptTask,
  findTask,
  isEnded,
  pixelsOf,
  refuseByDirective,
  reportTask,
  type TaskView,
  type Vendor,
} from './vendor-task.ts';

const codes: Readonly<Record<number, number>> = { 400: 2013, 401: 1004, 402: 1008, 422: 1026, 429: 1002, 500: 1000 };
const types: Readonly<Record<number, string>> = {
  400: 'bad_request_error',
  401: 'authorized_error',
  402: 'insufficient_balance_error',
  422: 'unprocessable_entity_error',
  429: 'rate_limit_error',
};

/** The first API has one status for everything; `send-substitute` sends the failure's own, which is not far from it. */
function writeError({ status, message, code }: Failure, { head }: { head: Head }): object {
  const number = code === undefined ? (codes[status] ?? (status < 500 ? 2013 : 1000)) : Number(code);
  const words = message ?? `the sandbox refuses with ${number}`;
  if (!head.path.includes('/v2/')) return { base_resp: { status_code: number, status_msg: words } };
  const error = { type: types[status] ?? 'server_error', message: `${words} (${number})`, http_code: String(status) };
  return { type: 'error', error, request_id: `mm-${randomInt(1e9)}` };
}

const vendor: Vendor = {
  family: 'minimax',
  noMoney: { status: 402, code: '1008', message: 'insufficient balance' },
  blocked: { status: 422, code: '1026', message: 'video description contains sensitive content' },
  unknown: { status: 400, code: '2013', message: 'invalid params, task_id' },
  errorBody: { base_resp: { status_code: 1000, status_msg: 'unknown error' } },
};
/** In the first API, all of these come with 200. */
const firstVendor: Vendor = {
  ...vendor,
  noMoney: { ...vendor.noMoney, status: 200 },
  blocked: { ...vendor.blocked, status: 200 },
  unknown: { ...vendor.unknown, status: 200 },
};

const item: Check = (value) =>
  isObject(value) &&
  (value['type'] === 'text'
    ? shape({ type: text, text })(value)
    : shape({
        type: among('image_url', 'video_url', 'audio_url'),
        image_url: shape({ url: link }),
        video_url: shape({ url: link }),
        audio_url: shape({ url: link }),
        role: among('first_frame', 'last_frame', 'reference_image', 'reference_video', 'reference_audio'),
      })(value));

const h3Checks: Readonly<Record<string, Check>> = {
  model: text,
  content: (value) => Array.isArray(value) && value.length > 0 && value.every(item),
  resolution: among('480P', '768P', '2K'),
  duration: whole(4, 15),
  seed: whole(-1, 2 ** 32 - 1),
  extra: shape({ prompt_expansion_mode: among('disabled', 'balanced', 'quality') }),
  ratio: among('adaptive', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16'),
  aigc_watermark: flag,
  callback_url: link,
};

const hailuoChecks: Readonly<Record<string, Check>> = {
  model: text,
  prompt: text,
  duration: among(6, 10),
  resolution: among('512P', '720P', '768P', '1080P'),
  prompt_optimizer: flag,
  fast_pretreatment: flag,
  first_frame_image: link,
  last_frame_image: link,
  subject_reference: list,
  aigc_watermark: flag,
  callback_url: link,
};

const h3Words: Readonly<Record<TaskState, string>> = {
  queued: 'queued',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  'bare-failure': 'failed',
  blocked: 'failed',
  expired: 'expired',
  cancelled: 'cancelled',
};
const hailuoWords: Readonly<Record<string, string>> = {
  queued: 'Queueing',
  running: 'Processing',
  succeeded: 'Success',
};

export function createMinimaxProtocol(studio: VideoStudio): SandboxProtocol {
  return {
    prefix: 'minimax',
    basePath: '/minimax',
    endpoints: [
      { method: 'POST', path: /^\/v2\/video_generation$/, answer: (call) => createH3(call, studio) },
      {
        method: 'GET',
        path: /^\/v2\/query\/video_generation\/[^/]+$/,
        answer: (call) => reportTask(call, { studio, vendor, id: call.path.split('/').at(-1) ?? '', write: writeH3 }),
      },
      {
        method: 'DELETE',
        path: /^\/v2\/video_generation\/[^/]+$/,
        takes: 'nothing',
        answer: (call) => removeH3(call, studio, call.path.split('/').at(-1) ?? ''),
      },
      { method: 'POST', path: /^\/v1\/video_generation$/, answer: (call) => createHailuo(call, studio) },
      {
        method: 'GET',
        path: /^\/v1\/query\/video_generation$/,
        answer: (call) =>
          reportTask(call, { studio, vendor: firstVendor, id: call.query.get('task_id') ?? '', write: writeHailuo }),
      },
      { method: 'GET', path: /^\/v1\/files\/retrieve$/, answer: (call) => retrieve(call, studio) },
    ],
    readUserTexts(body) {
      if (!isObject(body)) return [];
      const content = Array.isArray(body['content']) ? (body['content'] as unknown[]) : [];
      const texts = content.map((one) => (isObject(one) ? one['text'] : undefined));
      return [body['prompt'], ...texts].filter((one) => typeof one === 'string');
    },
    wantsStream: () => false,
    writeError,
  };
}

async function createH3(call: Call, studio: VideoStudio): Promise<void> {
  refuseByDirective(call, vendor);
  const body = checkFields(call.body, {
    checks: h3Checks,
    required: ['model', 'content', 'resolution', 'duration'],
    refusal: (field, why) => ({ status: 400, code: '2013', message: `invalid params, ${field} ${why}` }),
  });
  const content = body['content'] as Record<string, unknown>[];
  const prompt = content.find(({ type }) => type === 'text')?.['text'];
  if (typeof prompt !== 'string') refuse('content must include a non-empty text item (prompt is required)');
  const roles = content.map(({ role }) => String(role));
  const hasFrame = roles.some((role) => role.endsWith('_frame'));
  if (hasFrame && body['ratio'] !== undefined) refuse('ratio is not taken with frames');
  if (content.length === 1 && (body['ratio'] ?? 'adaptive') === 'adaptive')
    refuse('ratio is required without pictures, and cannot be adaptive');
  if (String(body['model']).endsWith('Max') ? body['resolution'] === '2K' : body['resolution'] === '480P')
    refuse('resolution is not one of the model');
  if (hasFrame && roles.some((role) => role.startsWith('reference')))
    refuse('frames and references exclude each other');
  if (roles.includes('last_frame') && !roles.includes('first_frame')) refuse('a last frame needs a first one');
  const seconds = Number(body['duration'] ?? 5);
  const resolution = wordIn(body, 'resolution', '768P');
  const clips = content.filter(({ type }) => type === 'video_url').length;
  const input = Math.ceil((clips * (call.behaviour.clipMs ?? 5000)) / 1000);
  await acceptTask(call, {
    studio,
    vendor,
    wanted: {
      id: String(randomInt(1e12, 1e14)),
      model: String(body['model']),
      prompt,
      seconds,
      ...pixelsOf(resolution === '2K' ? 1440 : 768, ratioIn(body['ratio'])),
      usage: { total_seconds: seconds + input, input_seconds: input, output_seconds: seconds },
      echo: { resolution, duration: seconds, ratio: body['ratio'] ?? '16:9' },
    },
    answer: { body: ({ id }) => ({ task_id: id }), bodyWithoutId: { task_id: '' } },
  });
}

/** Cancels what is queued, deletes what has ended, refuses what runs. */
async function removeH3(call: Call, studio: VideoStudio, id: string): Promise<void> {
  const task = findTask(call, { studio, vendor, id });
  const state = stateAt(task, call.now);
  if (state === 'running') refuse('the task is running');
  if (isEnded(state)) studio.tasks.forget(task);
  else task.cancelledAt = call.now;
  const action = isEnded(state) ? 'deleted' : 'cancelled';
  await sendWhole(call.exchange, { body: { task_id: id, action, status: action } });
}

function ratioIn(ratio: unknown): string {
  return typeof ratio === 'string' && ratio !== 'adaptive' ? ratio : '16:9';
}

function refuse(why: string): never {
  throw new Refusal({ status: 400, code: '2013', message: `invalid params, ${why}` });
}

function writeH3({ task, state, url }: TaskView, word?: string): object {
  const usage = state === 'succeeded' ? spoilUsage(task.usage, task.behaviour) : undefined;
  return {
    task: {
      id: task.id,
      status: word ?? h3Words[state],
      ...(state === 'succeeded' && { content: url === undefined ? {} : { url }, ...task.echo }),
      ...(usage !== undefined && { usage }),
      ...(state === 'failed' && { error: { code: '1000', message: 'generation failed' } }),
      ...(state === 'blocked' && { error: { code: '1027', message: 'the video contains sensitive content' } }),
    },
  };
}

async function createHailuo(call: Call, studio: VideoStudio): Promise<void> {
  refuseByDirective(call, firstVendor);
  const body = checkFields(call.body, {
    checks: hailuoChecks,
    required: ['model'],
    refusal: (field, why) => ({ status: 200, code: '2013', message: `invalid params, ${field} ${why}` }),
  });
  const resolution = wordIn(body, 'resolution', '768P');
  await acceptTask(call, {
    studio,
    vendor,
    wanted: {
      id: String(randomInt(1e12, 1e14)),
      model: String(body['model']),
      prompt: wordIn(body, 'prompt', ''),
      seconds: Number(body['duration'] ?? 6),
      ...pixelsOf(Number.parseInt(resolution, 10)),
    },
    answer: { body: ({ id }) => ({ task_id: id, ...fine }), bodyWithoutId: { task_id: '', ...fine } },
  });
}

const fine = { base_resp: { status_code: 0, status_msg: 'success' } };

function writeHailuo({ task, state, url }: TaskView, word?: string): object {
  const blocked = { base_resp: { status_code: 1027, status_msg: 'the video contains sensitive content' } };
  return {
    task_id: task.id,
    status: word ?? hailuoWords[state] ?? 'Fail',
    ...(state === 'succeeded' && url !== undefined && { file_id: task.fileName }),
    ...(state === 'succeeded' && { video_width: task.width, video_height: task.height }),
    ...(state === 'blocked' ? blocked : fine),
  };
}

/** GET /v1/files/retrieve: a file is the video of a task that has succeeded. */
async function retrieve(call: Call, studio: VideoStudio): Promise<void> {
  const { exchange, query, now } = call;
  const id = studio.tasks.findFile(query.get('file_id') ?? '')?.id ?? '';
  const task = findTask(call, { studio, vendor: firstVendor, id });
  const isDone = stateAt(task, now) === 'succeeded';
  const download_url = isDone ? writeVideoUrl(exchange, studio, task) : undefined;
  await sendWhole(exchange, {
    body: { file: { file_id: task.fileName, purpose: 'video_generation', download_url }, ...fine },
  });
}
