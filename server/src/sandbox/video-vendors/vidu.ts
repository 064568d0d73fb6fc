// Vidu as the sandbox speaks it: `Authorization: Token`, reasons in words. https://platform.vidu.com
import { randomInt } from 'node:crypto';
import { sendWhole } from '../http/send-whole.ts';
import type { Call, SandboxProtocol } from '../protocol.ts';
import type { Head } from '../http/head.ts';
import { type Failure, Refusal } from '../refusal.ts';
import { spoilUsage } from '../text/spoil-usage.ts';
import type { VideoStudio } from '../video/studio.ts';
import { stateAt, type TaskState } from '../video/task.ts';
import { among, type Check, checkFields, flag, link, text, whole, wordIn } from './fields.ts';
import {
  acceptTask,
  findTask,
  isEnded,
  pixelsOf,
  refuseByDirective,
  reportTask,
  textsAt,
  type TaskView,
  type Vendor,
} from './vendor-task.ts';

const reasons: Readonly<Record<number, string>> = {
  400: 'FieldInvalid',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'TaskNotFound',
  429: 'TooManyRequests',
};

function writeError({ status, message, code }: Failure): object {
  const reason = code ?? reasons[status] ?? (status < 500 ? 'FieldInvalid' : 'InternalServiceFailure');
  return { code: status, reason, message: message ?? reason, metadata: {} };
}

const vendor: Vendor = {
  family: 'vidu',
  noMoney: { status: 400, code: 'CreditInsufficient', message: 'the credits are not sufficient' },
  blocked: { status: 400, code: 'AuditSubmitIllegal', message: 'the content is not compliant' },
  unknown: { status: 404, code: 'TaskNotFound', message: 'task not found' },
  errorBody: writeError({ status: 500 }),
};

const pictures =
  (least: number, most: number): Check =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.length <= most && value.every(link);
const every: Readonly<Record<string, Check>> = {
  model: text,
  prompt: (value) => text(value) && String(value).length <= 5000,
  duration: whole(1, 16),
  seed: whole(0, 2_147_483_647),
  resolution: among('540p', '720p', '1080p'),
  movement_amplitude: among('auto', 'small', 'medium', 'large'),
  bgm: flag,
  audio: flag,
  off_peak: flag,
  watermark: flag,
  wm_position: whole(1, 4),
  wm_url: link,
  callback_url: link,
};
const ratio = among('16:9', '9:16', '1:1', '4:3', '3:4');
const kinds: Readonly<Record<string, { checks: Readonly<Record<string, Check>>; required: readonly string[] }>> = {
  text2video: { checks: { ...every, aspect_ratio: ratio, style: text }, required: ['model', 'prompt'] },
  img2video: { checks: { ...every, images: pictures(1, 1) }, required: ['model', 'images'] },
  'start-end2video': { checks: { ...every, images: pictures(2, 2) }, required: ['model', 'images'] },
  reference2video: {
    checks: { ...every, images: pictures(1, 7), aspect_ratio: ratio },
    required: ['model', 'prompt', 'images'],
  },
};

const words: Readonly<Record<TaskState, string>> = {
  queued: 'queueing',
  running: 'processing',
  succeeded: 'success',
  failed: 'failed',
  'bare-failure': 'failed',
  blocked: 'failed',
  expired: 'failed',
  cancelled: 'failed',
};
const errors: Partial<Record<TaskState, string>> = {
  failed: 'InternalServiceFailure',
  blocked: 'CreationPolicyViolation',
  cancelled: 'UserCancelled',
};
const creditsPerSecond = 4;

export function createViduProtocol(studio: VideoStudio): SandboxProtocol {
  const idIn = ({ path }: Call): string => path.split('/')[4] ?? '';
  return {
    prefix: 'vidu',
    basePath: '/vidu',
    endpoints: [
      {
        method: 'POST',
        path: /^\/ent\/v2\/(?:text2video|img2video|start-end2video|reference2video)$/,
        answer: (call) => create(call, studio),
      },
      {
        method: 'GET',
        path: /^\/ent\/v2\/tasks\/[^/]+\/creations$/,
        answer: (call) => reportTask(call, { studio, vendor, id: idIn(call), write: writeTask }),
      },
      {
        method: 'POST',
        path: /^\/ent\/v2\/tasks\/[^/]+\/cancel$/,
        answer: (call) => cancel(call, studio, idIn(call)),
      },
      {
        method: 'GET',
        path: /^\/ent\/v2\/credits$/,
        answer: (call) => sendWhole(call.exchange, { body: { remains: [], packages: [] } }),
      },
    ],
    readUserTexts: textsAt('prompt'),
    wantsStream: () => false,
    writeError,
    readKey: ({ headers }: Head) => /^token +(\S+)$/i.exec(headers.authorization ?? '')?.[1],
  };
}

async function create(call: Call, studio: VideoStudio): Promise<void> {
  refuseByDirective(call, vendor);
  const { checks = {}, required = [] } = kinds[call.path.split('/').at(-1) ?? ''] ?? {};
  const body = checkFields(call.body, {
    checks,
    required,
    refusal: (field, why) => ({ status: 400, code: 'FieldInvalid', message: `${field} ${why}` }),
  });
  const seconds = Number(body['duration'] ?? 5);
  await acceptTask(call, {
    studio,
    vendor,
    wanted: {
      id: String(randomInt(1e12, 1e14)),
      model: String(body['model']),
      prompt: wordIn(body, 'prompt', ''),
      seconds,
      ...pixelsOf(Number.parseInt(wordIn(body, 'resolution', '720p'), 10), wordIn(body, 'aspect_ratio', '16:9')),
      usage: { credits: seconds * creditsPerSecond },
      echo: { off_peak: body['off_peak'] === true },
    },
    answer: {
      body: (task) => ({ task_id: task.id, state: 'created', model: task.model, ...task.usage }),
      bodyWithoutId: { task_id: '', state: 'created' },
    },
  });
}

function writeTask({ task, state, url }: TaskView, word?: string): object {
  const isDone = state === 'succeeded';
  return {
    id: task.id,
    state: word ?? words[state],
    err_code: errors[state] ?? '',
    ...(isDone ? spoilUsage(task.usage, task.behaviour) : {}),
    creations: isDone && url !== undefined ? [{ id: task.fileName, url, cover_url: '' }] : [],
  };
}

/** Only what was asked for off the peak can be stopped; the id stands in the body too. */
async function cancel(call: Call, studio: VideoStudio, id: string): Promise<void> {
  checkFields(call.body, {
    checks: { id: (value) => value === id },
    required: ['id'],
    refusal: (field, why) => ({ status: 400, code: 'FieldInvalid', message: `${field} ${why}` }),
  });
  const task = findTask(call, { studio, vendor, id });
  if (task.echo['off_peak'] !== true || isEnded(stateAt(task, call.now)))
    throw new Refusal({ status: 400, code: 'BadRequest', message: 'task state is scheduled, can not cancel' });
  task.cancelledAt = call.now;
  await sendWhole(call.exchange, { body: {} });
}
