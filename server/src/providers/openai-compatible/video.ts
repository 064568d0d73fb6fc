// Videos in the task style (`/videos`), as other gateways offer them: the client's fields are theirs too, and are handed on as
// they are. The video is fetched from the upstream's own content path, with the key.
import type { RemixSource, VideoReport, VideoRequest } from '../../neutral/video.ts';
import type { UpstreamComplaint } from '../../protocols/protocol.ts';
import { foldName } from '../../shared/fold-name.ts';
import { type Metadata, metadataValue, numberIn } from '../metadata-values.ts';
import { amountIn, type Answer, objectIn, objectsIn, parseAnswer, textIn } from '../upstream-values.ts';
import { chargedByTime, type Timed, timedSent, timedUsage, trait } from '../video/bill-by-time.ts';
import { picturesOf, readSize, secondsOf } from '../video/common-fields.ts';
import { counted, reportOf, stateIn, type StateWords } from '../video/report.ts';
import { jsonBody } from '../video-body.ts';
import type { SubmittedLately, VideoPlan, VideoProvider } from '../video-provider.ts';

const VIDEOS = '/videos';
const USUAL_SECONDS = 4;
const LONGEST_SECONDS = 3_600;
const states: StateWords = {
  queued: 'queued',
  pending: 'queued',
  submitted: 'queued',
  in_progress: 'running',
  processing: 'running',
  completed: 'succeeded',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
  canceled: 'cancelled',
};

/** Codes of an empty account that come with other statuses than 402. */
const NO_MONEY = /^(?:insufficient_(?:quota|user_quota|balance|credits)|billing_hard_limit_reached|quota_exceeded)$/;

const pathOf = (id: string): string => `${VIDEOS}/${encodeURIComponent(id)}`;

/** As long and as large as the video that it is made of. */
function planRemix({ prompt, unknown }: VideoRequest, { id, upstreamId, seconds, size }: RemixSource): VideoPlan {
  const frame = readSize(size);
  const length = seconds ?? USUAL_SECONDS;
  const resolution = frame === undefined ? '' : `${frame.width}X${frame.height}`;
  const timed = { milliseconds: length * 1000, resolution, traits: [] };
  return {
    body: jsonBody({ prompt }),
    path: `${pathOf(upstreamId)}/remix`,
    estimate: timedUsage(timed),
    sent: { ...timedSent(timed), remixedFrom: id },
    seconds: length,
    size,
    dropped: unknown,
  };
}

/** Names by which readers of `metadata` may take another model than the one that is charged; some compare without case. */
const NAMES_MODEL = /^model(?:_?name)?$/;
/** What is counted by itself, and is no factor. */
const MEASURES: ReadonlySet<string> = new Set(['duration', 'seconds', 'size', 'resolution']);
const MOST_TRAITS = 20;
const LONGEST_TRAIT = 60;

/** Length, size and traits as the upstream reads them: it lets `metadata` win, as this gateway does. */
function timedOf({ size, mode }: VideoRequest, length: number | undefined, metadata: Metadata): Timed {
  const text = (name: string): string | undefined => {
    const value = metadataValue(metadata, name);
    return typeof value === 'string' && value.trim() !== '' && !/\s/.test(value.trim()) ? value.trim() : undefined;
  };
  const frame = readSize(text('size') ?? size);
  const named = { ...(mode !== undefined && { mode }), ...metadata };
  const traits = Object.keys(named)
    .filter((name) => !MEASURES.has(name) && !/\s/.test(name))
    .flatMap((name) => trait(name, metadataValue(named, name)))
    .filter((one) => one.length <= LONGEST_TRAIT);
  return {
    milliseconds: Math.round((length ?? USUAL_SECONDS) * 1000),
    resolution: text('resolution')?.toUpperCase() ?? (frame === undefined ? '' : `${frame.width}X${frame.height}`),
    traits: traits.slice(0, MOST_TRAITS),
  };
}

function planTask(request: VideoRequest, upstreamModel: string): VideoPlan {
  if (request.remix !== undefined) return planRemix(request, request.remix);
  const { prompt, images, inputReference, size, mode } = request;
  const others = Object.keys(request.metadata).filter((name) => NAMES_MODEL.test(foldName(name)));
  const metadata = Object.fromEntries(Object.entries(request.metadata).filter(([name]) => !others.includes(name)));
  const length = lengthIn(metadata) ?? secondsOf(request);
  const pictures = picturesOf(request);
  const timed = timedOf(request, length, metadata);
  const frame = readSize(typeof metadata['size'] === 'string' ? metadata['size'] : size);
  const asked = secondsOf(request);
  const [only, ...more] = pictures;
  const body = {
    model: upstreamModel,
    prompt,
    ...(asked !== undefined && { seconds: String(asked) }),
    ...(size !== undefined && { size }),
    ...(mode !== undefined && { mode }),
    ...(only !== undefined && more.length === 0 && { input_reference: only }),
    ...(more.length > 0 && { images: pictures }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
  const isLost = (address: string | undefined): boolean => address !== undefined && !pictures.includes(address.trim());
  return {
    body: jsonBody(body),
    estimate: timedUsage(timed),
    sent: timedSent(timed),
    seconds: length ?? USUAL_SECONDS,
    size: frame === undefined ? undefined : `${frame.width}x${frame.height}`,
    dropped: [
      ...request.unknown,
      ...others.map((name) => `metadata.${name}`),
      ...(isLost(inputReference) ? ['input_reference'] : []),
      ...(isLost(request.image) && images.length > 0 ? ['image'] : []),
      ...(request.seconds !== undefined && numberIn(request.seconds) !== asked ? ['seconds'] : []),
      ...(request.duration !== undefined && request.duration !== asked ? ['duration'] : []),
    ],
  };
}

/** Positive and within an hour: what else is asked for is the upstream's to refuse. */
function lengthIn(metadata: Metadata): number | undefined {
  const length = numberIn(metadataValue(metadata, 'duration')) ?? numberIn(metadataValue(metadata, 'seconds'));
  return length !== undefined && length > 0 && length <= LONGEST_SECONDS ? length : undefined;
}

/** The error of the protocol, or the flat one of other gateways. */
export function readComplaint(body: Buffer): UpstreamComplaint {
  const answer = parseAnswer(body) ?? {};
  const error = objectIn(answer, 'error');
  return {
    message: textIn(error, 'message') ?? textIn(answer, 'message'),
    code: textIn(error, 'code') ?? textIn(answer, 'code') ?? textIn(error, 'type'),
    param: textIn(error, 'param'),
  };
}

function readRefusal(body: Buffer, status: number): number | undefined {
  const { code } = readComplaint(body);
  if (code !== undefined && NO_MONEY.test(code)) return 402;
  const isError = status < 300 && code !== undefined && idIn(parseAnswer(body) ?? {}) === undefined;
  return isError ? 400 : undefined;
}

function idIn(answer: Answer): string | undefined {
  return textIn(answer, 'id') ?? textIn(answer, 'task_id');
}

function readTask(body: Buffer): VideoReport | undefined {
  const answer = parseAnswer(body) ?? {};
  const state = stateIn(states, textIn(answer, 'status'));
  const id = idIn(answer);
  if (state === undefined || id === undefined) return undefined;
  const error = objectIn(answer, 'error');
  return reportOf(state, {
    progress: amountIn(answer, 'progress'),
    videoUrl: `${pathOf(id)}/content`,
    reason: textIn(error, 'message'),
    code: textIn(error, 'code'),
    reported: counted({ seconds: amountIn(answer, 'seconds') }),
  });
}

function readRecent(body: Buffer): SubmittedLately[] {
  return objectsIn(parseAnswer(body) ?? {}, 'data').flatMap((task) => {
    const [upstreamId, model, createdAt] = [idIn(task), textIn(task, 'model'), amountIn(task, 'created_at')];
    if (upstreamId === undefined || model === undefined || createdAt === undefined) return [];
    return [{ upstreamId, model, createdAt, asked: {} }];
  });
}

export const taskStyleVideo: VideoProvider = {
  units: ['second', 'reported'],
  plan: planTask,
  submit: ({ body, path = VIDEOS }) => ({ method: 'POST', path, body }),
  readSubmitted: (body) => idIn(parseAnswer(body) ?? {}),
  readRefusal,
  readComplaint,
  poll: ({ id }) => ({ method: 'GET', path: pathOf(id) }),
  readTask,
  cancel: ({ id }) => ({ method: 'DELETE', path: pathOf(id) }),
  recent: { path: () => ({ method: 'GET', path: `${VIDEOS}?limit=100` }), read: readRecent },
  remixes: true,
  variants: ['thumbnail', 'spritesheet'],
  resultsNeedKey: true,
  charged: chargedByTime,
};
