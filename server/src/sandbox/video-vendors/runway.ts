// Runway as the sandbox speaks it. https://docs.dev.runwayml.com
import { sendBytes, sendWhole } from '../http/send-whole.ts';
import type { Call, SandboxProtocol } from '../protocol.ts';
import { type Failure, Refusal } from '../refusal.ts';
import { spoilUsage } from '../text/spoil-usage.ts';
import type { VideoStudio } from '../video/studio.ts';
import { stateAt, type TaskState } from '../video/task.ts';
import { type Check, checkFields, flag, link, list, shape, text, whole, wordIn } from './fields.ts';
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

const version = '2024-11-06';
const creditsPerSecond = 12;

function writeError({ status, message }: Failure): object {
  return { error: message ?? `The sandbox must fail with ${status}.` };
}

const vendor: Vendor = {
  family: 'runway',
  noMoney: { status: 400, message: 'You do not have enough credits to run this task.' },
  blocked: { status: 400, message: 'Your prompt did not pass our content moderation.' },
  unknown: { status: 404, message: 'Task not found.' },
  errorBody: writeError({ status: 500 }),
};

const frame: Check = shape({ uri: link, position: (value) => value === 'first' || value === 'last' });
const checks: Readonly<Record<string, Check>> = {
  model: text,
  promptText: (value) => text(value) && String(value).length <= 1000,
  promptImage: (value) => link(value) || (Array.isArray(value) && value.every(frame)),
  videoUri: link,
  ratio: (value) => typeof value === 'string' && /^(?:\d+:\d+|adaptive)$/.test(value),
  duration: whole(2, 15),
  seed: whole(0, 4_294_967_295),
  contentModeration: shape({ publicFigureThreshold: text }),
  audio: flag,
  negativePrompt: text,
  resolution: text,
  references: list,
  referenceVideos: list,
  referenceAudio: list,
};
const required: Readonly<Record<string, readonly string[]>> = {
  text_to_video: ['model', 'promptText', 'ratio'],
  image_to_video: ['model', 'promptImage', 'ratio'],
  video_to_video: ['model', 'videoUri', 'promptText'],
};

const words: Readonly<Record<TaskState, string>> = {
  queued: 'PENDING',
  running: 'RUNNING',
  succeeded: 'SUCCEEDED',
  failed: 'FAILED',
  'bare-failure': 'FAILED',
  blocked: 'FAILED',
  expired: 'FAILED',
  cancelled: 'CANCELLED',
};
const failures: Partial<Record<TaskState, object>> = {
  failed: { failure: 'An internal error happened.', failureCode: 'INTERNAL.BAD_OUTPUT.CODE01' },
  blocked: { failure: 'The output did not pass moderation.', failureCode: 'SAFETY.OUTPUT.VIDEO' },
  'bare-failure': { failure: '' },
};

export function createRunwayProtocol(studio: VideoStudio): SandboxProtocol {
  const one = /^\/v1\/tasks\/[^/]+$/;
  const idIn = ({ path }: Call): string => path.split('/').at(-1) ?? '';
  return {
    prefix: 'runway',
    basePath: '/runway',
    endpoints: [
      {
        method: 'POST',
        path: /^\/v1\/(?:text_to_video|image_to_video|video_to_video)$/,
        answer: (call) => create(call, studio),
      },
      {
        method: 'GET',
        path: one,
        async answer(call) {
          checkVersion(call);
          await reportTask(call, { studio, vendor, id: idIn(call), write: writeTask });
        },
      },
      { method: 'DELETE', path: one, answer: (call) => remove(call, studio, idIn(call)) },
      {
        method: 'GET',
        path: /^\/v1\/organization$/,
        async answer(call) {
          checkVersion(call);
          await sendWhole(call.exchange, {
            body: { creditBalance: 1000, tier: { models: {} }, usage: { models: {} } },
          });
        },
      },
    ],
    readUserTexts: textsAt('promptText'),
    wantsStream: () => false,
    writeError,
  };
}

function checkVersion({ exchange }: Call): void {
  const given = exchange.request.headers['x-runway-version'];
  if (given !== version) throw new Refusal({ status: 400, message: 'The X-Runway-Version header is required.' });
}

async function create(call: Call, studio: VideoStudio): Promise<void> {
  checkVersion(call);
  refuseByDirective(call, vendor);
  const body = checkFields(call.body, {
    checks,
    required: required[call.path.split('/').at(-1) ?? ''] ?? [],
    refusal: (field, why) => ({ status: 400, message: `Validation of body failed: ${field} ${why}` }),
  });
  const seconds = Number(body['duration'] ?? 5);
  const [, width, height] = /^(\d{3,4}):(\d{3,4})$/.exec(String(body['ratio'])) ?? [];
  const size = width === undefined ? pixelsOf(720) : { width: Number(width), height: Number(height) };
  await acceptTask(call, {
    studio,
    vendor,
    wanted: {
      model: String(body['model']),
      prompt: wordIn(body, 'promptText', ''),
      seconds,
      ...size,
      usage: { credits: seconds * creditsPerSecond },
    },
    answer: {
      body: ({ id, usage }) => ({ id, estimatedCost: { credits: usage['credits'] } }),
      bodyWithoutId: { id: '' },
    },
  });
}

function writeTask({ task, state, url }: TaskView, word?: string): object {
  const cost = spoilUsage(task.usage, task.behaviour);
  const price = cost === undefined ? {} : isEnded(state) ? { cost } : { estimatedCost: cost };
  return {
    id: task.id,
    createdAt: new Date(task.createdAt).toISOString(),
    status: word ?? (task.behaviour.stateWords === 'other' && state === 'queued' ? 'THROTTLED' : words[state]),
    ...(state === 'running' && { progress: 0.42 }),
    ...(state === 'succeeded' && { output: url === undefined ? [] : [url] }),
    ...failures[state],
    ...price,
  };
}

/** Cancels one that goes on, deletes one that has ended. */
async function remove(call: Call, studio: VideoStudio, id: string): Promise<void> {
  checkVersion(call);
  const task = findTask(call, { studio, vendor, id });
  if (isEnded(stateAt(task, call.now))) studio.tasks.forget(task);
  else task.cancelledAt = call.now;
  await sendBytes(call.exchange, { status: 204, bytes: Buffer.alloc(0), contentType: 'text/plain' });
}
