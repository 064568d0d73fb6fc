// Luma as the sandbox speaks it: the Agents API, and Dream Machine of the models before.
// https://docs.agents.lumalabs.ai, https://docs.lumalabs.ai
import { sendBytes, sendWhole } from '../http/send-whole.ts';
import type { Call, SandboxProtocol } from '../protocol.ts';
import type { Failure } from '../refusal.ts';
import type { VideoStudio } from '../video/studio.ts';
import type { TaskState } from '../video/task.ts';
import { among, type Check, checkFields, flag, link, list, object, shape, text } from './fields.ts';
import {
  acceptTask,
  findTask,
  pixelsOf,
  refuseByDirective,
  reportTask,
  textsAt,
  type TaskView,
  type Vendor,
} from './vendor-task.ts';

function writeError({ status, message }: Failure): object {
  return { detail: message ?? `The sandbox must fail with ${status}.` };
}

const vendor: Vendor = {
  family: 'luma',
  noMoney: { status: 402, message: 'Insufficient balance' },
  blocked: { status: 400, message: 'The prompt did not pass moderation' },
  unknown: { status: 404, message: 'Generation not found' },
  errorBody: writeError({ status: 500 }),
};
const dreamVendor: Vendor = { ...vendor, noMoney: { status: 400, message: 'Insufficient credits' } };

const reference: Check = shape({ url: link, data: text, media_type: text, generation_id: text });
const keyframe: Check = shape({ type: among('image', 'generation'), url: link, id: text });
const resolution = among('540p', '720p', '1080p', '4k');

const agentsChecks: Readonly<Record<string, Check>> = {
  model: text,
  type: among('video', 'video_edit', 'video_reframe'),
  prompt: text,
  aspect_ratio: among('9:16', '3:4', '1:1', '4:3', '16:9', '21:9'),
  video: shape({
    resolution: among('540p', '720p', '1080p'),
    duration: among('5s', '10s'),
    loop: flag,
    hdr: flag,
    exr_export: flag,
    start_frame: reference,
    end_frame: reference,
    keyframes: list,
    keyframe_indexes: list,
  }),
  source: object,
};

const dreamChecks: Readonly<Record<string, Check>> = {
  model: among('ray-2', 'ray-flash-2', 'ray-1-6'),
  prompt: text,
  aspect_ratio: among('1:1', '16:9', '9:16', '4:3', '3:4', '21:9', '9:21'),
  resolution,
  duration: among('5s', '9s'),
  loop: flag,
  keyframes: shape({ frame0: keyframe, frame1: keyframe }),
  concepts: list,
  callback_url: link,
  generation_type: among('video'),
};

const words: Readonly<Record<TaskState, string>> = {
  queued: 'queued',
  running: 'processing',
  succeeded: 'completed',
  failed: 'failed',
  'bare-failure': 'failed',
  blocked: 'failed',
  expired: 'failed',
  cancelled: 'failed',
};
const failures: Partial<Record<TaskState, { failure_code: string; failure_reason: string }>> = {
  failed: { failure_code: 'generation_failed', failure_reason: 'The generation failed' },
  blocked: { failure_code: 'content_moderated', failure_reason: 'The output was moderated' },
};

export function createLumaProtocol(studio: VideoStudio): SandboxProtocol {
  const idIn = ({ path }: Call): string => path.split('/').at(-1) ?? '';
  const oneDream = /^\/dream-machine\/v1\/generations\/[^/]+$/;
  return {
    prefix: 'luma',
    basePath: '/luma',
    endpoints: [
      { method: 'POST', path: /^\/v1\/generations$/, answer: (call) => createAgents(call, studio) },
      {
        method: 'GET',
        path: /^\/v1\/generations$/,
        answer: (call) => sendWhole(call.exchange, { body: { data: [] } }),
      },
      {
        method: 'GET',
        path: /^\/v1\/generations\/[^/]+$/,
        answer: (call) => reportTask(call, { studio, vendor, id: idIn(call), write: writeAgents }),
      },
      {
        method: 'POST',
        path: /^\/dream-machine\/v1\/generations\/video$/,
        answer: (call) => createDream(call, studio),
      },
      {
        method: 'GET',
        path: oneDream,
        answer: (call) => reportTask(call, { studio, vendor, id: idIn(call), write: writeDream }),
      },
      {
        method: 'DELETE',
        path: oneDream,
        async answer(call) {
          studio.tasks.forget(findTask(call, { studio, vendor, id: idIn(call) }));
          await sendBytes(call.exchange, { status: 204, bytes: Buffer.alloc(0), contentType: 'text/plain' });
        },
      },
    ],
    readUserTexts: textsAt('prompt'),
    wantsStream: () => false,
    writeError,
  };
}

const refusal = (field: string, why: string): Failure => ({ status: 422, message: `${field} ${why}` });

async function createAgents(call: Call, studio: VideoStudio): Promise<void> {
  refuseByDirective(call, vendor);
  const body = checkFields(call.body, { checks: agentsChecks, required: ['model', 'prompt'], refusal });
  const video = (body['video'] ?? {}) as Record<string, unknown>;
  await acceptTask(call, {
    studio,
    vendor,
    wanted: wantedOf(body, video['resolution'], video['duration']),
    answer: {
      status: 201,
      body: (task) => writeAgents({ task, state: 'queued', url: undefined }),
      bodyWithoutId: { state: 'queued' },
    },
  });
}

async function createDream(call: Call, studio: VideoStudio): Promise<void> {
  refuseByDirective(call, dreamVendor);
  const body = checkFields(call.body, { checks: dreamChecks, required: ['model'], refusal });
  await acceptTask(call, {
    studio,
    vendor,
    wanted: wantedOf(body, body['resolution'], body['duration']),
    answer: {
      status: 201,
      body: (task) => writeDream({ task, state: 'queued', url: undefined }),
      bodyWithoutId: { state: 'queued' },
    },
  });
}

function wantedOf(body: Record<string, unknown>, lines: unknown, length: unknown) {
  const { model, prompt, aspect_ratio: ratio } = body;
  return {
    model: String(model),
    prompt: typeof prompt === 'string' ? prompt : '',
    seconds: Number.parseInt(typeof length === 'string' ? length : '5s', 10),
    ...pixelsOf(
      lines === '4k' ? 2160 : Number.parseInt(typeof lines === 'string' ? lines : '720p', 10),
      typeof ratio === 'string' ? ratio : '16:9',
    ),
  };
}

function writeAgents({ task, state, url }: TaskView, word?: string): object {
  return {
    id: task.id,
    created_at: new Date(task.createdAt).toISOString(),
    model: task.model,
    type: 'video',
    state: word ?? words[state],
    failure_code: failures[state]?.failure_code ?? null,
    failure_reason: failures[state]?.failure_reason ?? null,
    output: url === undefined ? [] : [{ type: 'video', url }],
  };
}

function writeDream({ task, state, url }: TaskView, word?: string): object {
  const { model } = task;
  return {
    id: task.id,
    generation_type: 'video',
    state: word ?? (state === 'running' ? 'dreaming' : words[state]),
    failure_reason: failures[state]?.failure_reason ?? null,
    created_at: new Date(task.createdAt).toISOString(),
    assets: url === undefined ? null : { video: url },
    model,
    request: { generation_type: 'video', model, prompt: task.prompt },
  };
}
