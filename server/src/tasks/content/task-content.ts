// The bytes of a finished video, proxied: whole or a range, with only those of the provider's headers that describe them.
import type { Readable } from 'node:stream';
import { GatewayError } from '../../errors/gateway-error.ts';
import { findOwnTask, findTask, type TaskRow } from '../../store/queries/tasks.ts';
import type { UpstreamHeaders } from '../../providers/upstream-request.ts';
import { discardBody } from '../../providers/guarded/guarded-client.ts';
import { openArchived } from './archive-video.ts';
import { cutRange } from './cut-range.ts';
import { type ByteRange, readByteRange } from '../../shared/byte-range.ts';
import { type ContentConditions, isUnchanged, rangeOf } from '../../shared/content-conditions.ts';
import type { TaskDependencies } from '../dependencies.ts';
import { targetOfTask, type TaskTarget } from '../provider-call.ts';
import { statusOf, taskNotFound } from '../task.ts';
import { fetchVideo } from './video-link.ts';

export interface ContentRequest {
  /** Only a task of this account; undefined = of any account, for operators. */
  accountId: string | undefined;
  id: string;
  /** Something else than the video, where its provider has it. */
  variant?: string;
  asked: ContentConditions;
  signal: AbortSignal;
}

export interface Content {
  status: number;
  headers: Record<string, string>;
  body: Readable | undefined;
}

const HANDED_ON = ['content-length', 'content-range', 'content-encoding', 'accept-ranges', 'etag', 'last-modified'];
/** Of a body that the client has already. */
const OF_UNCHANGED = ['etag', 'last-modified'];
/** A video of an account is nobody else's to keep; browsers may, for as long as links usually live at least. */
const OWN_HEADERS = { 'cache-control': 'private, max-age=3600', 'x-content-type-options': 'nosniff' };
const VIDEO = 'video/mp4';
const PICTURE = /^image\/(?:png|jpeg|webp|gif|avif)$/i;

export async function openContent(dependencies: TaskDependencies, request: ContentRequest): Promise<Content> {
  const task =
    request.accountId === undefined
      ? await findTask(dependencies.store.reads, request.id)
      : await findOwnTask(dependencies.store.reads, request.accountId, request.id);
  if (task === undefined) throw taskNotFound(request.id);
  if (task.state !== 'SUCCESS') throw notFinished(task);
  if (request.variant !== undefined) return fromProvider(dependencies, task, request);
  return (await fromArchive(dependencies, task, request)) ?? fromProvider(dependencies, task, request);
}

/** The link to it; throws 404 where the provider of the video has no such thing. */
function linkOf(task: TaskRow, target: TaskTarget | undefined, variant: string): string {
  const link = task.result_url ?? '';
  if (!target?.video.variants?.includes(variant) || !link.startsWith('/'))
    throw new GatewayError('not_found', { message: `The provider of "${task.model}" has no ${variant} of a video.` });
  return `${link}${link.includes('?') ? '&' : '?'}variant=${variant}`;
}

function notFinished(task: TaskRow): GatewayError {
  const message =
    task.state === 'FAILURE'
      ? `The task has failed and has no video: ${task.fail_reason ?? 'no reason was given'}`
      : `The task has no video yet: its status is ${statusOf(task)}.`;
  return new GatewayError('task_not_finished', { message });
}

async function fromProvider(dependencies: TaskDependencies, task: TaskRow, request: ContentRequest): Promise<Content> {
  const target = targetOfTask(dependencies, task);
  const { asked, signal, variant } = request;
  const range = singleRange(asked.range);
  const result_url = variant === undefined ? task.result_url : linkOf(task, target, variant);
  const asking = { task: { ...task, result_url }, target, signal, ...asked, range, isVariant: variant !== undefined };
  const { status, headers, body } = cutRange(await fetchVideo(dependencies, asking), { ...asked, range });
  const pick = (names: readonly string[]) => Object.fromEntries(names.flatMap((name) => headerOf(headers, name)));
  if (status === 416 || status === 304) {
    discardBody(body);
    const reported = status === 416 ? pick(['content-range']) : { ...pick(OF_UNCHANGED), ...OWN_HEADERS };
    return { status, headers: reported, body: undefined };
  }
  const [[, type] = ['', '']] = headerOf(headers, 'content-type');
  return {
    status,
    headers: { 'accept-ranges': 'bytes', ...pick(HANDED_ON), ...OWN_HEADERS, 'content-type': typeOf(type, variant) },
    body,
  };
}

/** Several ranges at once would be answered in a format of their own: such a request may be answered whole (RFC 9110, 14.2). */
function singleRange(range: string | undefined): string | undefined {
  return /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/.test(range ?? '') ? range : undefined;
}

function headerOf(headers: UpstreamHeaders, name: string): [string, string][] {
  const value = headers[name];
  return typeof value === 'string' ? [[name, value]] : [];
}

/** Storage often does not know what it keeps; anything that a browser would take for a page is never handed on as such. */
function typeOf(type: string, variant: string | undefined): string {
  const plain = type.split(';', 1)[0]?.trim() ?? '';
  if (variant !== undefined) return PICTURE.test(plain) ? plain : 'application/octet-stream';
  return /^(?:video|audio)\/[\w.+-]+$/i.test(plain) ? type : VIDEO;
}

async function fromArchive(
  dependencies: TaskDependencies,
  task: TaskRow,
  { asked }: ContentRequest,
): Promise<Content | undefined> {
  const video = task.archived === 1 ? await openArchived(dependencies, task.id) : undefined;
  if (video === undefined) return undefined;
  // A copy never changes: its task tells it from every other.
  const validators = { etag: `"${task.id}"`, lastModified: new Date((task.completed_at ?? 0) * 1000).toUTCString() };
  const own = { ...OWN_HEADERS, etag: validators.etag, 'last-modified': validators.lastModified };
  if (isUnchanged(asked, validators)) {
    await video.close();
    return { status: 304, headers: own, body: undefined };
  }
  const wanted: ByteRange = readByteRange(rangeOf(asked, validators), video.size);
  if (wanted === 'unsatisfiable' || video.size === 0) {
    await video.close();
    return { status: 416, headers: { 'content-range': `bytes */${video.size}` }, body: undefined };
  }
  const { start, end } = wanted === 'whole' ? { start: 0, end: video.size - 1 } : wanted;
  const headers = {
    ...own,
    'content-type': VIDEO,
    'accept-ranges': 'bytes',
    'content-length': String(end - start + 1),
    ...(wanted !== 'whole' && { 'content-range': `bytes ${start}-${end}/${video.size}` }),
  };
  return { status: wanted === 'whole' ? 200 : 206, headers, body: video.read({ start, end }) };
}
