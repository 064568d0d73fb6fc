// Fetches a finished video from where its provider keeps it. A link that is refused as expired is asked for again, once.
import { Readable } from 'node:stream';
import { GatewayError } from '../../errors/gateway-error.ts';
import { signHeaders } from '../../providers/build-request.ts';
import {
  AddressRefused,
  discardBody,
  type GuardedAnswer,
  type GuardedCall,
} from '../../providers/guarded/guarded-client.ts';
import { addressUnder } from '../../providers/provider.ts';
import { UpstreamError } from '../../providers/upstream-error.ts';
import { INLINE_VIDEO } from '../../providers/video-provider.ts';
import { changeFinishedTask, type TaskRow } from '../../store/queries/tasks.ts';
import type { TaskDependencies } from '../dependencies.ts';
import { askProvider } from '../poll/poll-task.ts';
import { callProvider, type TaskTarget } from '../provider-call.ts';
import { handleOf } from '../task.ts';

export interface VideoFetch {
  task: TaskRow;
  /** undefined when the channel is gone: the link may still work. */
  target: TaskTarget | undefined;
  range: string | undefined;
  /** It is something else than the video: a link to it is not asked for again. */
  isVariant?: boolean;
  ifRange?: string | undefined;
  ifNoneMatch?: string | undefined;
  ifModifiedSince?: string | undefined;
  signal?: AbortSignal;
}

const REDIRECTS = 3;
const INLINE_TOTAL_MS = 120_000;
const LIMITS = { connectMs: 10_000, firstByteMs: 30_000, idleMs: 60_000 };
/** How storage says that a link is over, or that what it led to is gone. */
const EXPIRED = new Set([400, 401, 403, 404, 410]);
const SERVED = new Set([200, 206, 304, 416]);

/** Resolves with the bytes, a part of them, the refusal of a range, or word that the client has them; throws the caller's error otherwise. */
export async function fetchVideo(dependencies: TaskDependencies, request: VideoFetch): Promise<GuardedAnswer> {
  const { task, target } = request;
  if (task.result_url === INLINE_VIDEO) return fetchInline(dependencies, request);
  const answer = await callLink(dependencies, request, task.result_url ?? '');
  if (SERVED.has(answer.status)) return answer;
  discardBody(answer.body);
  if (!EXPIRED.has(answer.status)) throw failed(`the link was answered with ${answer.status}`);
  if (request.isVariant === true) throw expired();
  const fresh = await askForLink(dependencies, task, target);
  if (fresh === undefined || fresh === task.result_url) throw expired();
  await changeFinishedTask(dependencies.store, task.id, { result_url: fresh });
  const again = await callLink(dependencies, request, fresh);
  if (SERVED.has(again.status)) return again;
  discardBody(again.body);
  throw EXPIRED.has(again.status) ? expired() : failed(`the fresh link was answered with ${again.status}`);
}

async function callLink(
  dependencies: TaskDependencies,
  { target, signal, ...asked }: VideoFetch,
  url: string,
): Promise<GuardedAnswer> {
  try {
    return await dependencies.guarded.call({
      url: target === undefined ? url : absoluteLink(url, target),
      method: 'GET', // signed links are signed for this method alone
      headers: { accept: '*/*', ...conditionHeaders(asked) },
      ...(target !== undefined && { own: ownChannel(dependencies, target), proxy: target.channel.facts.options.proxy }),
      redirects: REDIRECTS,
      limits: LIMITS,
      ...(signal !== undefined && { signal }),
    });
  } catch (error) {
    if (error instanceof AddressRefused) throw failed('the link leads where it must not', error);
    if (error instanceof UpstreamError && error.errorClass === 'timed-out')
      throw new GatewayError('upstream_timeout', { cause: error });
    throw failed('the link cannot be followed', error);
  }
}

/** Some providers hand results out under their own address alone. */
function absoluteLink(url: string, { channel }: TaskTarget): string {
  if (!url.startsWith('/')) return url;
  const { origin, path } = addressUnder(channel.facts.baseUrl, url);
  return origin + path;
}

/** A video that stands in the answer to the poll: asked for again, whole. */
async function fetchInline(
  dependencies: TaskDependencies,
  { task, target, signal }: VideoFetch,
): Promise<GuardedAnswer> {
  if (target === undefined || task.upstream_id === null) throw expired();
  const { video } = target;
  try {
    const call = { ...video.poll(handleOf(task, task.upstream_id)), totalMs: INLINE_TOTAL_MS };
    const { body } = await callProvider(dependencies, target, { ...call, ...(signal !== undefined && { signal }) });
    const inline = video.readInline?.(body);
    if (inline === undefined) throw expired();
    const headers = { 'content-type': inline.contentType, 'content-length': String(inline.bytes.length) };
    return { status: 200, headers, body: Readable.from([inline.bytes]) };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    throw error.facts.status === 404 ? expired() : failed('the provider cannot be asked for the video', error);
  }
}

/** Links on the channel's own origin get its credential where they want it; every redirect is signed for itself. */
function ownChannel(
  { client }: Pick<TaskDependencies, 'client'>,
  { channel, key, provider, video }: TaskTarget,
): NonNullable<GuardedCall['own']> {
  const { baseUrl, options } = channel.facts;
  const target = { baseUrl, options, client };
  if (video.resultsNeedKey !== true) return { baseUrl };
  return { baseUrl, sign: (request) => signHeaders(provider, request, { credential: key.secret, settings: target }) };
}

function conditionHeaders({ range, ifRange, ifNoneMatch, ifModifiedSince }: Partial<VideoFetch>) {
  return {
    ...(range !== undefined && { range, ...(ifRange !== undefined && { 'if-range': ifRange }) }),
    ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
    ...(ifModifiedSince !== undefined && { 'if-modified-since': ifModifiedSince }),
  };
}

async function askForLink(
  dependencies: TaskDependencies,
  task: TaskRow,
  target: TaskTarget | undefined,
): Promise<string | undefined> {
  try {
    return (await askProvider(dependencies, { task, target })).videoUrl;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const { status } = error.facts;
    if (status === 404 || status === 410 || target === undefined) return undefined;
    throw failed('the provider cannot be asked for a fresh link', error);
  }
}

function expired(): GatewayError {
  return new GatewayError('video_expired');
}

function failed(why: string, cause?: unknown): GatewayError {
  const message = 'The video cannot be fetched from its provider.';
  return new GatewayError('upstream_error', { message, cause: cause ?? new Error(why) });
}
