// One call to a provider about a task, with the channel and key that the task belongs to.
import type { VideoCall, VideoProvider } from '../providers/video-provider.ts';
import type { UpstreamRequest } from '../providers/call-upstream.ts';
import { addressUnder, type Provider } from '../providers/provider.ts';
import { findProvider } from '../providers/registry.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import { CollectedAnswer, type WholeResult } from '../relay/collect-answer.ts';
import type { ChannelKey } from '../routing/channel-key.ts';
import type { Channel } from '../routing/channel.ts';
import type { Candidate } from '../routing/route.ts';
import { secretsOf } from '../routing/secrets-of.ts';
import type { TaskRow } from '../store/queries/tasks.ts';
import type { TaskParts } from './parts.ts';

export interface TaskPlace extends Candidate {
  provider: Provider;
  video: VideoProvider;
}

/** A disabled channel still answers for what it has taken (promise V-13); undefined when it is gone altogether. */
export function placeOfTask({ router, catalogue }: TaskParts, task: TaskRow): TaskPlace | undefined {
  const channel = router.channels(catalogue.current).find(({ facts }) => facts.id === task.channel_id);
  return channel === undefined ? undefined : placeOn(channel, task.key_id);
}

/** The very key that submitted; one that was taken out of its channel is replaced by another: it was most likely renewed. */
function placeOn(channel: Channel, keyId: string | null): TaskPlace | undefined {
  const key = channel.keys.find(({ id }) => id === keyId) ?? channel.keys[0];
  return key === undefined ? undefined : placeWith({ channel, key });
}

export function placeWith(candidate: { channel: Channel; key: ChannelKey }): TaskPlace | undefined {
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
export function callProvider(
  { client }: Pick<TaskParts, 'client'>,
  place: TaskPlace,
  call: ProviderCall,
): Promise<WholeResult> {
  return new Promise((resolve, reject) => {
    const { readComplaint, readRefusal } = place.video;
    const answer = new CollectedAnswer({
      readComplaint: (body, status) => ({ ...readComplaint(body), status: readRefusal(body, status) }),
      refusals: place.provider.refusals,
      stream: undefined,
      expects: '',
      resolve: (result) => end(() => resolve(result)),
      reject: (error) => end(() => reject(error)),
    });
    const asked = client.call(requestOf(place, call), answer);
    answer.call = asked;
    const timer = setTimeout(
      () => asked.abort(new UpstreamError('timed-out', 'no whole answer in time')),
      call.totalMs,
    );
    const onAbort = (): void => asked.abort(new UpstreamError('aborted', 'the gateway is stopping'));
    call.signal?.addEventListener('abort', onAbort);
    if (call.signal?.aborted === true) onAbort();
    function end(say: () => void): void {
      clearTimeout(timer);
      call.signal?.removeEventListener('abort', onAbort);
      say();
    }
  });
}

function requestOf(place: TaskPlace, call: ProviderCall): UpstreamRequest {
  const { channel, key, provider } = place;
  const { facts } = channel;
  const { connectMs, firstByteMs, idleMs } = facts.options;
  return {
    ...addressUnder(facts.baseUrl, call.path),
    method: call.method,
    headers: {
      ...facts.headers,
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...(call.body !== undefined && { 'content-type': call.body.contentType }),
      ...call.headers,
      ...provider.authHeaders(key.secret),
    },
    body: call.body?.bytes ?? null,
    limits: {
      connectMs,
      firstByteMs: Math.min(firstByteMs, call.totalMs),
      idleMs: Math.min(idleMs, call.totalMs),
    },
    mask: secretsOf(place),
  };
}
