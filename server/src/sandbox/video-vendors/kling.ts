// Kling as the sandbox speaks it: four kinds of tasks by path, codes in every answer, keys as JWT or plain.
// https://app.klingai.com/global/dev/document-api
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { readBearer } from '../http/keys.ts';
import { sendWhole } from '../http/send-whole.ts';
import type { Call, SandboxProtocol } from '../protocol.ts';
import type { Head } from '../http/head.ts';
import { type Failure, Refusal } from '../refusal.ts';
import { spoilUsage } from '../text/spoil-usage.ts';
import type { VideoStudio } from '../video/studio.ts';
import { changedAt, stateAt, type TaskState, type VideoTask } from '../video/task.ts';
import { among, type Check, checkFields, flag, link, list, numeric, object, shape, text, wordIn } from './fields.ts';
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

const bare: Check = (value) => typeof value === 'string' && /^(?:https?:\/\/|[A-Za-z0-9+/=]+$)/i.test(value);
const every: Readonly<Record<string, Check>> = {
  model_name: text,
  prompt: text,
  negative_prompt: text,
  mode: among('std', 'pro', '4k'),
  duration: among('3', '4', '5', '6', '7', '8', '9', '10', '12', '15'),
  cfg_scale: numeric(0, 1),
  sound: among('on', 'off'),
  voice_list: list,
  watermark_info: shape({ enabled: flag }),
  callback_url: link,
  external_task_id: text,
  multi_shot: flag,
  shot_type: among('customize', 'intelligence'),
  multi_prompt: list,
};
const ratio = among('16:9', '9:16', '1:1');
const kinds: Readonly<Record<string, { checks: Readonly<Record<string, Check>>; required: readonly string[] }>> = {
  text2video: { checks: { ...every, aspect_ratio: ratio, camera_control: object }, required: ['model_name', 'prompt'] },
  image2video: {
    checks: {
      ...every,
      image: bare,
      image_tail: bare,
      camera_control: object,
      static_mask: bare,
      dynamic_masks: list,
      element_list: list,
    },
    required: ['model_name', 'image'],
  },
  'multi-image2video': {
    checks: { ...every, aspect_ratio: ratio, image_list: list },
    required: ['model_name', 'prompt', 'image_list'],
  },
  'motion-control': {
    checks: {
      model_name: text,
      prompt: text,
      mode: among('std', 'pro', '4k'),
      video_url: link,
      image_url: bare,
      character_orientation: among('image', 'video'),
      keep_original_sound: among('yes', 'no'),
      watermark_info: shape({ enabled: flag }),
      callback_url: link,
      external_task_id: text,
    },
    required: ['video_url', 'image_url'],
  },
};

const codes: Readonly<Record<number, number>> = {
  400: 1201,
  401: 1000,
  403: 1103,
  404: 1202,
  429: 1302,
  500: 5000,
  503: 5001,
  504: 5002,
};

function writeKlingError({ status, message, code }: Failure): object {
  const number = code === undefined ? (codes[status] ?? (status < 500 ? 1200 : 5000)) : Number(code) || 1200;
  return {
    code: number,
    message: message ?? `The sandbox refuses with ${number}.`,
    request_id: `kl-${randomInt(1e9)}`,
  };
}

const vendor: Vendor = {
  family: 'kling',
  noMoney: { status: 429, code: '1102', message: 'Account balance not enough' },
  blocked: { status: 400, code: '1301', message: 'The content does not pass the review' },
  unknown: { status: 404, code: '1203', message: 'The task does not exist' },
  errorBody: writeKlingError({ status: 500 }),
};

const words: Readonly<Record<TaskState, string>> = {
  queued: 'submitted',
  running: 'processing',
  succeeded: 'succeed',
  failed: 'failed',
  'bare-failure': 'failed',
  blocked: 'failed',
  expired: 'failed',
  cancelled: 'failed',
};
const reasons: Partial<Record<TaskState, string>> = {
  failed: 'The service failed, please try again later',
  blocked: 'Failure to pass the risk control system',
};

/** Units for a second, by mode. */
const unitsPerSecond = { std: 0.2, pro: 0.35, '4k': 1 };

export function createKlingProtocol(studio: VideoStudio): SandboxProtocol {
  const all = /^\/v1\/videos\/(text2video|image2video|multi-image2video|motion-control)$/;
  const one = /^\/v1\/videos\/(text2video|image2video|multi-image2video|motion-control)\/[^/]+$/;
  return {
    prefix: 'kling',
    basePath: '/kling',
    endpoints: [
      { method: 'POST', path: all, answer: (call) => create(call, studio) },
      { method: 'GET', path: all, answer: (call) => listTasks(call, studio) },
      {
        method: 'GET',
        path: one,
        answer: (call) =>
          reportTask(call, {
            studio,
            vendor,
            id: findId(call, studio),
            write: (view, word) => envelope(writeTask(view, word)),
          }),
      },
    ],
    readUserTexts: textsAt('prompt'),
    wantsStream: () => false,
    writeError: writeKlingError,
    readKey,
  };
}

/** Of a token that is signed with the secret `<access key>-secret`, or a plain key. */
function readKey(head: Head): string | undefined {
  const token = readBearer(head);
  const [header, claims, signature, ...more] = token?.split('.') ?? [];
  if (header === undefined || claims === undefined || signature === undefined || more.length > 0) return token;
  const { iss, exp, nbf } = parse(claims) as { iss?: unknown; exp?: unknown; nbf?: unknown };
  const wanted = createHmac('sha256', `${String(iss)}-secret`)
    .update(`${header}.${claims}`)
    .digest();
  const given = Buffer.from(signature, 'base64url');
  const isSigned = given.length === wanted.length && timingSafeEqual(given, wanted);
  if (!isSigned) throw new Refusal({ status: 401, code: '1002', message: 'Authorization is invalid' });
  const now = Date.now() / 1000;
  if (Number(nbf) > now) throw new Refusal({ status: 401, code: '1003', message: 'Authorization is not yet valid' });
  if (!(Number(exp) > now)) throw new Refusal({ status: 401, code: '1004', message: 'Authorization has expired' });
  return String(iss);
}

function parse(part: string): object {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as object;
  } catch {
    return {};
  }
}

const kindIn = ({ path }: Call): string => path.split('/')[3] ?? '';

async function create(call: Call, studio: VideoStudio): Promise<void> {
  refuseByDirective(call, vendor);
  const kind = kindIn(call);
  const { checks = {}, required = [] } = kinds[kind] ?? {};
  const body = checkFields(call.body, {
    checks,
    required,
    refusal: (field, why) => ({ status: 400, code: '1201', message: `${field} ${why}` }),
  });
  const own = body['external_task_id'];
  const isTaken = studio.tasks.list({ family: vendor.family, key: call.key }).some(({ echo }) => echo['own'] === own);
  if (own !== undefined && isTaken)
    throw new Refusal({ status: 400, code: '1201', message: 'external_task_id repeats' });
  const seconds = Number(body['duration'] ?? 5);
  const mode = body['mode'] === 'pro' || body['mode'] === '4k' ? body['mode'] : 'std';
  await acceptTask(call, {
    studio,
    vendor,
    wanted: {
      id: String(randomInt(1e12, 1e14)),
      model: wordIn(body, 'model_name', 'kling-v1'),
      prompt: wordIn(body, 'prompt', ''),
      seconds,
      ...pixelsOf(
        { std: 720, pro: 1080, '4k': 2160 }[mode],
        typeof body['aspect_ratio'] === 'string' ? body['aspect_ratio'] : '16:9',
      ),
      usage: { final_unit_deduction: Math.round(seconds * unitsPerSecond[mode] * 100) / 100 },
      echo: { kind, own },
    },
    answer: {
      body: (task) => envelope(writeTask({ task, state: 'queued', url: undefined })),
      bodyWithoutId: envelope({}),
    },
  });
}

/** A task is found by its own name too. */
function findId(call: Call, studio: VideoStudio): string {
  const id = decodeURIComponent(call.path.split('/')[4] ?? '');
  const tasks = studio.tasks.list({ family: vendor.family, key: call.key });
  const found = tasks.find((task) => (task.id === id || task.echo['own'] === id) && task.echo['kind'] === kindIn(call));
  return found?.id ?? '';
}

async function listTasks(call: Call, studio: VideoStudio): Promise<void> {
  const { exchange, behaviour, query, key, now } = call;
  const [page, size] = [Number(query.get('pageNum') ?? 1), Number(query.get('pageSize') ?? 30)];
  const found = studio.tasks
    .list({ family: vendor.family, key })
    .filter(({ echo }) => echo['kind'] === kindIn(call))
    .slice((page - 1) * size, page * size);
  const data = found.map((task) => writeTask({ task, state: stateAt(task, now), url: undefined }));
  await sendWhole(exchange, { body: envelope(data), errorBody: vendor.errorBody }, behaviour);
}

function envelope(data: object): object {
  return { code: 0, message: 'SUCCEED', request_id: `kl-${randomInt(1e9)}`, data };
}

function writeTask({ task, state, url }: TaskView, word?: string): object {
  const at = task.createdAt;
  return {
    task_id: task.id,
    task_status: word ?? words[state],
    ...(reasons[state] === undefined ? {} : { task_status_msg: reasons[state] }),
    task_info: task.echo['own'] === undefined ? {} : { external_task_id: task.echo['own'] },
    created_at: at,
    updated_at: Math.round(changedAt(task, Math.max(at, Date.now()))),
    ...(isEnded(state) && state === 'succeeded' ? writeResult(task, url) : {}),
  };
}

function writeResult(task: VideoTask, url: string | undefined): object {
  const usage = spoilUsage(task.usage, task.behaviour);
  const units = usage !== undefined && 'final_unit_deduction' in usage ? usage.final_unit_deduction : undefined;
  return {
    task_result: { videos: url === undefined ? [] : [{ id: task.fileName, url, duration: String(task.seconds) }] },
    ...(typeof units === 'number' || typeof units === 'string' ? { final_unit_deduction: String(units) } : {}),
  };
}
