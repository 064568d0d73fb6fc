// Videos of xAI as the sandbox speaks them: polls are 202 until a task has ended. https://docs.x.ai
import { sendWhole } from '../http/send-whole.ts';
import type { Call, SandboxProtocol } from '../protocol.ts';
import type { Failure } from '../refusal.ts';
import { spoilUsage } from '../text/spoil-usage.ts';
import type { VideoStudio } from '../video/studio.ts';
import { among, type Check, checkFields, link, shape, text, whole, wordIn } from './fields.ts';
import {
  acceptTask,
  isEnded,
  pixelsOf,
  refuseByDirective,
  reportTask,
  textsAt,
  type TaskView,
  type Vendor,
} from './vendor-task.ts';

/** Of a dollar. */
const ticks = 10_000_000_000;
const dollarsPerSecond: Readonly<Record<string, number>> = { '480p': 0.05, '720p': 0.07, '1080p': 0.25 };

function writeError({ status, message, code }: Failure): object {
  return { code: code ?? `status-${status}`, error: message ?? `The sandbox must fail with ${status}.` };
}

const vendor: Vendor = {
  family: 'xai-video',
  noMoney: {
    status: 403,
    code: 'permission-denied',
    message: 'Your team has either used all available credits or reached its monthly spending limit.',
  },
  blocked: { status: 400, code: 'invalid-argument', message: 'The prompt was rejected by content moderation.' },
  unknown: { status: 404, code: 'not-found', message: 'Request not found.' },
  errorBody: writeError({ status: 500 }),
};

const reference = shape({ url: link });
const checks: Readonly<Record<string, Check>> = {
  model: text,
  prompt: text,
  duration: whole(1, 15),
  aspect_ratio: among('16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3'),
  resolution: among('480p', '720p', '1080p'),
  image: reference,
  reference_images: (value) => Array.isArray(value) && value.every(reference),
};
const editChecks: Readonly<Record<string, Check>> = { model: text, prompt: text, video: reference };

export function createXaiVideoProtocol(studio: VideoStudio): SandboxProtocol {
  return {
    prefix: 'xai/v1',
    basePath: '/xai/v1',
    endpoints: [
      { method: 'POST', path: /^\/videos\/(?:generations|edits)$/, answer: (call) => create(call, studio) },
      {
        method: 'GET',
        path: /^\/videos\/[^/]+$/,
        answer: (call) =>
          reportTask(call, {
            studio,
            vendor,
            id: call.path.split('/').at(-1) ?? '',
            write: writeTask,
            status: (state) => (isEnded(state) ? 200 : 202),
          }),
      },
      {
        method: 'GET',
        path: /^\/models$/,
        answer: (call) =>
          sendWhole(call.exchange, { body: { object: 'list', data: [{ id: 'grok-imagine-video', object: 'model' }] } }),
      },
    ],
    readUserTexts: textsAt('prompt'),
    wantsStream: () => false,
    writeError,
  };
}

async function create(call: Call, studio: VideoStudio): Promise<void> {
  refuseByDirective(call, vendor);
  const isEdit = call.path.endsWith('/edits');
  const body = checkFields(call.body, {
    checks: isEdit ? editChecks : checks,
    required: isEdit ? ['model', 'prompt', 'video'] : ['model', 'prompt'],
    refusal: (field, why) => ({ status: 400, code: 'invalid-argument', message: `${field} ${why}` }),
  });
  const seconds = Number(body['duration'] ?? 8);
  const resolution = wordIn(body, 'resolution', '480p');
  const cost = Math.round(seconds * (dollarsPerSecond[resolution] ?? 0.05) * 100) / 100;
  await acceptTask(call, {
    studio,
    vendor,
    wanted: {
      model: String(body['model']),
      prompt: String(body['prompt']),
      seconds,
      ...pixelsOf(Number.parseInt(resolution, 10), wordIn(body, 'aspect_ratio', '16:9')),
      usage: { cost_in_usd_ticks: Math.round(cost * ticks) },
    },
    answer: { body: ({ id }) => ({ request_id: id }), bodyWithoutId: { request_id: '' } },
  });
}

/** What is withheld for its content is `done`, without an address. */
function writeTask({ task, state, url }: TaskView, word?: string): object {
  const { seconds, model } = task;
  if (word !== undefined) return { status: word };
  if (!isEnded(state)) return state === 'queued' ? {} : { status: 'pending', progress: 40 };
  if (state === 'expired') return { status: 'expired' };
  if (state === 'succeeded' || state === 'blocked') {
    const usage = spoilUsage(task.usage, task.behaviour);
    const video = { ...(url !== undefined && { url }), duration: seconds, respect_moderation: state !== 'blocked' };
    return { status: 'done', progress: 100, model, video, ...(usage !== undefined && { usage }) };
  }
  const error = { code: 'internal', message: 'The generation failed.' };
  return { status: 'failed', ...(state === 'failed' && { error }) };
}
