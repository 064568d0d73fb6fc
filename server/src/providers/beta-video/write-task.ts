// A request -> the task as family beta takes it, with what it may be charged by (spec 2.5).
import type { VideoRequest } from '../../neutral/video.ts';
import { jsonBody } from '../video-body.ts';
import type { VideoPlan } from '../video-provider.ts';
import { tierOf } from './billable.ts';
import { addressOf, type ContentItem, foreignPayloads, holdsVideo, writeContent } from './content-list.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { type Forwarded, forwardedNames, readForwarded, readFrame } from './forwarding-map.ts';
import { repeatedOf } from './read-task.ts';
import { droppedFields } from '../dropped-fields.ts';
import { metadataValue } from '../metadata-values.ts';

const FRAMES_PER_SECOND = 24;
const DEFAULT_SECONDS = 5;
/** Seconds after which the upstream gives a task up where nothing is said, and the most that can be said. */
const DEFAULT_EXPIRY = 172_800;
const LONGEST_EXPIRY = 259_200;

export function planTask(request: VideoRequest, upstreamModel: string): VideoPlan {
  const { model, prompt } = request;
  const content = writeContent(request);
  const forwarded = readForwarded(request);
  const tier = tierOf(content);
  const tokens = estimateTokens({ model, upstreamModel, prompt, forwarded, holdsVideo: holdsVideo(content) });
  return {
    body: jsonBody({ model: upstreamModel, content, ...forwarded }),
    estimate: { by: 'tokens', tokens, tier },
    sent: {
      tokens,
      tier,
      ...repeatedOf(forwarded),
      ...(forwarded['callback_url'] !== undefined && { callsBack: true }),
    },
    seconds: secondsOf(forwarded),
    size: undefined, // one resolution is different sizes, by the generation of the model
    dropped: droppedOf(request, content, forwarded),
    ...expiryOf(forwarded),
  };
}

/** More than the longest is the upstream's to refuse, and keeps no task waiting for ever. */
function expiryOf({ execution_expires_after: seconds = 0 }: Forwarded): Pick<VideoPlan, 'expiresAfter'> {
  return { expiresAfter: seconds > 0 ? Math.min(seconds, LONGEST_EXPIRY) : DEFAULT_EXPIRY };
}

/** -1 leaves the length to the model. */
function secondsOf({ duration = DEFAULT_SECONDS, frames }: Forwarded): number | undefined {
  if (frames !== undefined && frames > 0) return Math.round(frames / FRAMES_PER_SECOND);
  return duration > 0 ? duration : undefined;
}

const TAKEN = new Set([...forwardedNames, 'content']);

/** Fields that are not in the forwarding map, and what stands in the content list without being part of it (spec 2.5). */
function droppedOf(request: VideoRequest, content: readonly ContentItem[], { duration }: Forwarded): string[] {
  const urls = content.flatMap((item) => addressOf(item) ?? []);
  const takesSize = readFrame(request) !== undefined;
  return [...droppedFields(request, { urls, duration, metadata: TAKEN, takesSize }), ...insideContent(request)];
}

function insideContent({ metadata, prompt }: VideoRequest): string[] {
  const stated = metadataValue(metadata, 'content');
  if (!Array.isArray(stated)) return [];
  return stated.flatMap((item: ContentItem, index) => {
    const path = `metadata.content[${index}]`;
    if (item.type === 'text') return item['text'] === prompt ? [] : [path];
    return foreignPayloads(item).map((name) => `${path}.${name}`);
  });
}
