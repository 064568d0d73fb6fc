// One call to a provider about a task, with the channel and key that the task belongs to.
import { buildUpstreamRequest } from '../providers/build-request.ts';
import type { VideoCall, VideoProvider } from '../providers/video-provider.ts';
import type { UpstreamClient } from '../providers/call-upstream.ts';
import type { UpstreamRequest } from '../providers/upstream-request.ts';
import type { Provider } from '../providers/provider.ts';
import { findProvider } from '../providers/registry.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import { CollectedAnswer, type CollectSettings, type WholeResult } from '../providers/collect-answer.ts';
import { Cancellation } from '../providers/cancellation.ts';
import { sendUpstream } from '../providers/send-upstream.ts';
import type { ChannelKey } from '../routing/channel-key.ts';
import type { Channel } from '../routing/channel.ts';
import type { Candidate } from '../routing/route.ts';
import { secretsOf } from '../routing/secrets-of.ts';
import type { TaskRow } from '../store/queries/tasks.ts';
import type { TaskDependencies } from './dependencies.ts';
import { handleOf } from './task.ts';

/** Of a call that nobody waits for. */
export const CALL_TOTAL_MS = 30_000;

export interface TaskTarget extends Candidate {
  provider: Provider;
  video: VideoProvider;
}

/** A disabled channel still answers for what it has taken (promise V-13); undefined when it is gone altogether. */
export function targetOfTask({ router, catalogue }: TaskDependencies, task: TaskRow): TaskTarget | undefined {
  const channel = router.channels(catalogue.current).find(({ facts }) => facts.id === task.channel_id);
  return channel === undefined ? undefined : targetOn(channel, task.key_id);
}

/** The very key that submitted; one that was taken out of its channel is replaced by another: it was most likely renewed. */
function targetOn(channel: Channel, keyId: string | null): TaskTarget | undefined {
  const key = channel.keys.find(({ id }) => id === keyId) ?? channel.keysInUse[0] ?? channel.keys[0];
  return key === undefined ? undefined : targetWith({ channel, key });
}

export function targetWith(candidate: { channel: Channel; key: ChannelKey }): TaskTarget | undefined {
  const provider = findProvider(candidate.channel.facts.provider);
  if (provider?.video === undefined) return undefined;
  return { ...candidate, provider, video: provider.video };
}

export interface ProviderCall extends VideoCall {
  /** For the whole call. */
  totalMs: number;
  signal?: AbortSignal;
}

/** Rejects with an UpstreamError. */
export async function callProvider(
  { client }: Pick<TaskDependencies, 'client'>,
  target: TaskTarget,
  call: ProviderCall,
): Promise<WholeResult> {
  const { totalMs, signal } = call;
  const cancellation = new Cancellation();
  const onAbort = (): void => cancellation.cancel(new UpstreamError('aborted', 'the gateway is stopping'));
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted === true) onAbort();
  try {
    return await new Promise((resolve, reject) => {
      const request = requestOf(client, target, call);
      const { refusals } = target.provider;
      const { video } = target;
      const readComplaint: CollectSettings['readComplaint'] = (body, status) => ({
        ...video.readComplaint(body),
        status: video.readRefusal(body, status),
      });
      const answer = new CollectedAnswer({ readComplaint, refusals, stream: undefined, expects: '', resolve, reject });
      sendUpstream({ client, cancellation, answer, totalMs }, request);
    });
  } finally {
    cancellation.clear();
    signal?.removeEventListener('abort', onAbort);
  }
}

function requestOf(
  client: UpstreamClient,
  target: TaskTarget,
  call: ProviderCall,
): UpstreamRequest | Promise<UpstreamRequest> {
  const { baseUrl, options } = target.channel.facts;
  const { connectMs, firstByteMs, idleMs } = options;
  const credential = target.key.secret;
  const mask = secretsOf(target);
  return buildUpstreamRequest(target.provider, target, {
    method: call.method,
    path: typeof call.path === 'string' ? call.path : call.path({ baseUrl, options, credential }),
    headers: {
      accept: 'application/json',
      ...(call.body !== undefined && { 'content-type': call.body.contentType }),
      ...call.headers,
    },
    body: call.body?.bytes ?? null,
    limits: {
      connectMs,
      firstByteMs: Math.min(firstByteMs, call.totalMs),
      idleMs: Math.min(idleMs, call.totalMs),
    },
    mask,
    client,
  });
}

/** As far as the provider lets us: what it refuses, it goes on with. */
export async function cancelUpstream(
  dependencies: TaskDependencies,
  task: Pick<TaskRow, 'upstream_id' | 'handle'>,
  target: TaskTarget,
  totalMs = CALL_TOTAL_MS,
): Promise<boolean> {
  if (task.upstream_id === null) return false;
  const call = target.video.cancel?.(handleOf(task, task.upstream_id));
  if (call === undefined) return false;
  try {
    await callProvider(dependencies, target, { ...call, totalMs });
    return true;
  } catch {
    return false;
  }
}
