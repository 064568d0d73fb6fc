// Veo on Vertex AI as the sandbox speaks it: predictions that run long, polled by POST, with the video inside the answer.
// https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation
import { randomUUID } from 'node:crypto';
import { isObject } from '../fields/refuse.ts';
import { readBearer, readKeyHeader } from '../http/keys.ts';
import { sendWhole } from '../http/send-whole.ts';
import type { Call, SandboxProtocol } from '../protocol.ts';
import type { Head } from '../http/head.ts';
import { Refusal } from '../refusal.ts';
import { findFilm } from '../video/result-files.ts';
import type { VideoStudio } from '../video/studio.ts';
import { stateAt } from '../video/task.ts';
import { among, type Check, checkFields, flag, shape, text, whole } from './fields.ts';
import { writeGoogleError } from './google-error.ts';
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

const vendor: Vendor = {
  family: 'vertex-video',
  noMoney: { status: 403, message: 'This API method requires billing to be enabled.' },
  blocked: { status: 400, message: 'The prompt could not be submitted: it may violate our policies.' },
  unknown: { status: 404, message: 'The operation is not found.' },
  errorBody: writeGoogleError({ status: 500 }),
};

/** Links of the web are not taken. */
const picture: Check = shape({
  bytesBase64Encoded: text,
  gcsUri: (value) => typeof value === 'string' && value.startsWith('gs://'),
  mimeType: text,
});
const instance: Check = shape({
  prompt: text,
  image: picture,
  lastFrame: picture,
  video: picture,
  referenceImages: (value) =>
    Array.isArray(value) && value.every(shape({ image: picture, referenceType: among('asset', 'style') })),
});
const checks: Readonly<Record<string, Check>> = {
  instances: (value) => Array.isArray(value) && value.length === 1 && value.every(instance),
  parameters: shape({
    sampleCount: whole(1, 4),
    durationSeconds: among(4, 6, 8),
    aspectRatio: among('16:9', '9:16'),
    resolution: among('720p', '1080p', '4k'),
    negativePrompt: text,
    personGeneration: among('allow_adult', 'dont_allow', 'allow_all'),
    seed: whole(0, 4_294_967_295),
    generateAudio: flag,
    enhancePrompt: flag,
    compressionQuality: among('optimized', 'lossless'),
    resizeMode: among('crop', 'pad', 'CROP', 'PAD'),
  }),
};

const modelPattern = '(?:projects/[^/]+/locations/[^/]+/)?publishers/google/models/[^/:]+';

export function createVeoProtocol(studio: VideoStudio): SandboxProtocol {
  return {
    prefix: 'veo',
    basePath: '/veo',
    endpoints: [
      {
        method: 'POST',
        path: new RegExp(`^/v1/${modelPattern}:predictLongRunning$`),
        answer: (call) => create(call, studio),
      },
      {
        method: 'POST',
        path: new RegExp(`^/v1/${modelPattern}:fetchPredictOperation$`),
        answer: (call) => look(call, studio),
      },
      {
        method: 'GET',
        path: /^\/v1beta1\/publishers\/google\/models$/,
        answer: (call) => sendWhole(call.exchange, { body: { publisherModels: [] } }),
      },
    ],
    readUserTexts(body) {
      const instances = isObject(body) && Array.isArray(body['instances']) ? (body['instances'] as unknown[]) : [];
      return instances.flatMap((one) => (isObject(one) && typeof one['prompt'] === 'string' ? [one['prompt']] : []));
    },
    wantsStream: () => false,
    writeError: writeGoogleError,
    readKey: (head: Head) => readBearer(head) ?? readKeyHeader(head, 'x-goog-api-key'),
  };
}

async function create(call: Call, studio: VideoStudio): Promise<void> {
  refuseByDirective(call, vendor);
  const body = checkFields(call.body, {
    checks,
    required: ['instances'],
    refusal: (field, why) => ({ status: 400, message: `Invalid value: ${field} ${why}.` }),
  });
  const parameters = isObject(body['parameters']) ? body['parameters'] : {};
  const [one] = body['instances'] as { prompt?: string }[];
  const model = /^\/v1\/(.+):predictLongRunning$/.exec(call.path)?.[1] ?? '';
  const { durationSeconds: seconds = 8, resolution, aspectRatio: ratio } = parameters;
  const lines = resolution === '4k' ? 2160 : resolution === '1080p' ? 1080 : 720;
  await acceptTask(call, {
    studio,
    vendor,
    wanted: {
      id: `${model}/operations/${randomUUID()}`,
      model,
      prompt: one?.prompt ?? '',
      seconds: Number(seconds),
      ...pixelsOf(lines, typeof ratio === 'string' ? ratio : '16:9'),
    },
    answer: { body: ({ id }) => ({ name: id }), bodyWithoutId: {} },
  });
}

async function look(call: Call, studio: VideoStudio): Promise<void> {
  const id = isObject(call.body) ? call.body['operationName'] : undefined;
  if (typeof id !== 'string' || !`/v1/${id}`.startsWith(call.path.replace(/:fetchPredictOperation$/, '/operations/')))
    throw new Refusal({ status: 400, message: 'operationName is not of this model.' });
  const task = findTask(call, { studio, vendor, id });
  const isDone = stateAt({ ...task, polls: task.polls + 1 }, call.now) === 'succeeded';
  const data = isDone && !task.behaviour.omitUrl ? (await findFilm(task)).toString('base64') : undefined;
  await reportTask(call, { studio, vendor, id, write: (view) => writeOperation(view, data) });
}

/** What the safety filter took is done, without an error, and counted. */
function writeOperation({ task, state }: TaskView, data: string | undefined): object {
  const name = task.id;
  if (!isEnded(state)) return { name };
  const videos = data === undefined ? [] : [{ bytesBase64Encoded: data, mimeType: 'video/mp4' }];
  if (state === 'succeeded') return { name, done: true, response: { raiMediaFilteredCount: 0, videos } };
  if (state === 'blocked') {
    const filtered = {
      raiMediaFilteredCount: 1,
      raiMediaFilteredReasons: ['The video violates our policies. Support code: 1.'],
    };
    return { name, done: true, response: filtered };
  }
  return { name, done: true, error: { code: 13, ...(state === 'failed' && { message: 'Video generation failed.' }) } };
}
