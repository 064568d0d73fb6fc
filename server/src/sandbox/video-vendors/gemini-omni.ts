// Gemini Omni as the sandbox speaks it: interactions in the background, a video inside the answer or a file that wants the key.
// https://ai.google.dev/api/interactions-api
import { isObject } from '../fields/refuse.ts';
import { readKeyHeader } from '../http/keys.ts';
import { sendWhole } from '../http/send-whole.ts';
import type { Call, SandboxProtocol } from '../protocol.ts';
import type { Head } from '../http/head.ts';
import { Refusal } from '../refusal.ts';
import { spoilUsage } from '../text/spoil-usage.ts';
import { writeGoogleError } from './google-error.ts';
import { findFilm, sendResult } from '../video/result-files.ts';
import type { VideoStudio } from '../video/studio.ts';
import { stateAt, type TaskState } from '../video/task.ts';
import { among, type Check, checkFields, flag, shape, text, wordIn } from './fields.ts';
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
  family: 'gemini-video',
  noMoney: {
    status: 429,
    message: 'Your prepayment credits are depleted. Please go to AI Studio to manage your project.',
  },
  blocked: { status: 400, message: 'The prompt was blocked by the safety filter.' },
  unknown: { status: 404, message: 'Interaction not found.' },
  errorBody: writeGoogleError({ status: 500 }),
};

const block: Check = (value) =>
  isObject(value) &&
  (value['type'] === 'text'
    ? shape({ type: text, text })(value)
    : shape({ type: among('image', 'video'), data: text, uri: ownFile, mime_type: text })(value));
/** Other links are not followed. */
const ownFile: Check = (value) =>
  typeof value === 'string' && /^(?:gs:\/\/|(?:https:\/\/[^/]+\/v1beta\/)?files\/)/.test(value);
const turn: Check = shape({
  type: among('user_input'),
  content: (value) => Array.isArray(value) && value.every(block),
});
const checks: Readonly<Record<string, Check>> = {
  model: text,
  input: (value) => text(value) || (Array.isArray(value) && value.every(turn)),
  response_modalities: (value) => Array.isArray(value) && value.every(among('video', 'text')),
  background: flag,
  response_format: shape({
    type: among('video'),
    aspect_ratio: among('16:9', '9:16'),
    duration: (value) => typeof value === 'string' && /^(?:[3-9](?:\.\d+)?|10)s$/.test(value),
    resolution: among('360p', '720p', '1080p', '4k'),
    delivery: among('inline', 'uri'),
  }),
  generation_config: shape({ video_config: shape({ task: text }) }),
  previous_interaction_id: text,
};

const states: Readonly<Record<TaskState, string>> = {
  queued: 'queued',
  running: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  'bare-failure': 'failed',
  blocked: 'completed',
  expired: 'incomplete',
  cancelled: 'cancelled',
};
const tokensPerSecond = 5792;

export function createGeminiOmniProtocol(studio: VideoStudio): SandboxProtocol {
  const idIn = ({ path }: Call): string => path.split('/')[3] ?? '';
  return {
    prefix: 'gemini-omni',
    basePath: '/gemini-omni',
    endpoints: [
      { method: 'POST', path: /^\/v1beta\/interactions$/, answer: (call) => create(call, studio) },
      { method: 'GET', path: /^\/v1beta\/interactions\/[^/]+$/, answer: (call) => look(call, studio, idIn(call)) },
      {
        method: 'POST',
        path: /^\/v1beta\/interactions\/[^/]+\/cancel$/,
        takes: 'nothing',
        async answer(call) {
          const task = findTask(call, { studio, vendor, id: idIn(call) });
          if (isEnded(stateAt(task, call.now)))
            throw new Refusal({ status: 400, message: 'The interaction has ended.' });
          task.cancelledAt = call.now;
          await sendWhole(call.exchange, { body: { id: task.id, status: 'cancelled' } });
        },
      },
      {
        method: 'GET',
        path: /^\/v1beta\/files\/[\w-]+:download$/,
        answer: (call) => download(call, studio, idIn(call).replace(':download', '')),
      },
      {
        method: 'GET',
        path: /^\/v1beta\/models$/,
        answer: (call) => sendWhole(call.exchange, { body: { models: [{ name: 'models/gemini-omni-1.1-flash' }] } }),
      },
    ],
    readUserTexts,
    wantsStream: () => false,
    writeError: writeGoogleError,
    readKey: (head: Head) => readKeyHeader(head, 'x-goog-api-key'),
    keyFailures: {
      absent: { status: 403, message: 'Method doesn’t allow unregistered callers.' },
      wrong: { status: 400, code: 'API_KEY_INVALID', message: 'API key not valid. Please pass a valid API key.' },
    },
  };
}

function readUserTexts(body: unknown): string[] {
  const input = isObject(body) ? body['input'] : undefined;
  if (typeof input === 'string') return [input];
  const turns = Array.isArray(input) ? (input as unknown[]) : [];
  return turns.flatMap((one) => {
    const content = isObject(one) && Array.isArray(one['content']) ? (one['content'] as unknown[]) : [];
    return content.flatMap((part) => (isObject(part) && typeof part['text'] === 'string' ? [part['text']] : []));
  });
}

async function create(call: Call, studio: VideoStudio): Promise<void> {
  refuseByDirective(call, vendor);
  const body = checkFields(call.body, {
    checks,
    required: ['model', 'input', 'response_modalities'],
    refusal: (field, why) => ({ status: 400, message: `Invalid value: ${field} ${why}.` }),
  });
  if (body['background'] !== true) throw new Refusal({ status: 400, message: 'Videos are made in the background.' });
  const format = isObject(body['response_format']) ? body['response_format'] : {};
  const resolution = wordIn(format, 'resolution', '720p');
  const delivery = wordIn(format, 'delivery', 'uri');
  const seconds = Number.parseFloat(wordIn(format, 'duration', '10s'));
  const lines = resolution === '4k' ? 2160 : Number.parseInt(resolution, 10);
  const tokens = Math.round(seconds * tokensPerSecond);
  await acceptTask(call, {
    studio,
    vendor,
    wanted: {
      id: `v1_${Math.random().toString(36).slice(2)}${call.exchange.record.id}`,
      model: String(body['model']),
      prompt: readUserTexts(body).join(' '),
      seconds,
      ...pixelsOf(lines, wordIn(format, 'aspect_ratio', '16:9')),
      usage: { total_input_tokens: 12, total_output_tokens: tokens + 3, total_tokens: tokens + 15 },
      echo: { delivery, tokens },
    },
    answer: {
      body: ({ id, model }) => ({ id, object: 'interaction', status: 'in_progress', model }),
      bodyWithoutId: { object: 'interaction', status: 'in_progress' },
    },
  });
}

async function look(call: Call, studio: VideoStudio, id: string): Promise<void> {
  const task = findTask(call, { studio, vendor, id });
  const isInline = task.echo['delivery'] === 'inline';
  const film = isInline && stateAt({ ...task, polls: task.polls + 1 }, call.now) === 'succeeded';
  const data = film ? (await findFilm(task)).toString('base64') : undefined;
  await reportTask(call, { studio, vendor, id, write: (view, word) => writeInteraction(view, { word, data }) });
}

/** One that the safety filter took is completed, and has no output. */
function writeInteraction(
  { task, state, url }: TaskView,
  { word, data }: { word: string | undefined; data: string | undefined },
): object {
  const isDone = state === 'succeeded';
  const usage = isDone ? spoilUsage({ ...task.usage }, task.behaviour) : undefined;
  const uri = `https://generativelanguage.googleapis.com/v1beta/files/${task.fileName}`;
  const block = { type: 'video', mime_type: 'video/mp4', ...(data === undefined ? { uri } : { data }) };
  const content = isDone && url !== undefined ? [block] : [];
  const byModality =
    task.behaviour.usage === undefined
      ? { output_tokens_by_modality: [{ modality: 'video', tokens: task.echo['tokens'] }] }
      : {};
  return {
    id: task.id,
    object: 'interaction',
    status: word ?? states[state],
    model: task.model,
    ...(isDone || state === 'blocked' ? { steps: [{ type: 'model_output', content }] } : {}),
    ...(usage === undefined ? {} : { usage: { ...usage, ...byModality } }),
    ...(state === 'failed' && { error: { code: 13, message: 'The generation failed.', status: 'INTERNAL' } }),
  };
}

async function download(call: Call, studio: VideoStudio, name: string): Promise<void> {
  const task = studio.tasks.findFile(name);
  if (task === undefined || task.key !== call.key)
    throw new Refusal({ status: 403, message: 'You do not have permission to access the File.' });
  task.downloads += 1;
  await sendResult(call.exchange, task, 'video');
}
