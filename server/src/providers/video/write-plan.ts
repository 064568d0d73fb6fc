// Puts a vendor's plan together: body, what is held, what is kept for the charge, and what did not get across.
import type { VideoRequest } from '../../neutral/video.ts';
import { droppedFields } from '../dropped-fields.ts';
import { numberIn } from '../metadata-values.ts';
import { jsonBody } from '../video-body.ts';
import type { VideoBody, VideoPlan } from '../video-provider.ts';
import { type Timed, timedSent, timedUsage } from './bill-by-time.ts';
import { type Forwarded, withForwarded } from './forwarding.ts';

export interface Written {
  /** From the common fields; what `metadata` says is written over it. */
  fields: Record<string, unknown>;
  forwarded: Forwarded;
  /** Where the length stands in the body; `duration` where nothing is said. */
  lengthAt?: string;
  /** What the vendor makes when no length is sent. */
  usualSeconds: number;
  /** Addresses of pictures and clips that were sent, as the caller wrote them. */
  sentMedia: readonly string[];
  /** Whether `size` and `mode` are in the body as asked for. */
  takesSize?: boolean;
  takesMode?: boolean;
  /** From the body as it is sent. */
  resolution(body: Readonly<Record<string, unknown>>): string;
  traits?(body: Readonly<Record<string, unknown>>): readonly string[];
  /** Beside what the charge needs. */
  sent?: VideoPlan['sent'];
  size?: string | undefined;
  /** JSON unless the vendor wants a form. */
  write?(body: Readonly<Record<string, unknown>>): VideoBody;
}

export function planFor(request: VideoRequest, written: Written): VideoPlan {
  const {
    forwarded,
    lengthAt = 'duration',
    usualSeconds,
    sentMedia,
    sent,
    takesSize = false,
    takesMode = false,
  } = written;
  const body = withForwarded(written.fields, forwarded);
  const length = lengthIn(body, lengthAt);
  const timed: Timed = {
    milliseconds: Math.round((length ?? usualSeconds) * 1000),
    resolution: written.resolution(body),
    traits: written.traits?.(body) ?? [],
  };
  const fields = { urls: sentMedia, duration: length, metadata: forwarded.taken };
  const dropped = droppedFields(request, fields).filter(
    (name) => !(name === 'size' && takesSize) && !(name === 'mode' && takesMode),
  );
  return {
    body: (written.write ?? jsonBody)(body),
    estimate: timedUsage(timed),
    sent: { ...timedSent(timed), ...sent, ...(forwarded.values.has('callback_url') && { callsBack: true }) },
    seconds: length ?? usualSeconds,
    size: written.size,
    dropped: [...dropped, ...forwarded.lost],
  };
}

/** A text in the body, or what stands for it where it is absent. */
export function wordIn(body: Readonly<Record<string, unknown>>, name: string, fallback: string): string {
  const value = body[name];
  return typeof value === 'string' ? value : fallback;
}

/** A number, text of one, or `5s`. */
function lengthIn(body: Readonly<Record<string, unknown>>, path: string): number | undefined {
  let at: unknown = body;
  for (const name of path.split('.'))
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined;
  const length = numberIn(typeof at === 'string' ? at.replace(/s$/i, '') : at);
  return length !== undefined && length > 0 && length <= LONGEST_SECONDS ? length : undefined;
}

/** An hour: what is longer is the vendor's to refuse. */
const LONGEST_SECONDS = 3_600;
