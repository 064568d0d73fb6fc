// What a video is charged by where the vendor counts seconds, or units of its own: the arithmetic that vendors share. `sent` holds what was asked for, `reported` what the vendor reports.
import type { VideoReport, VideoUsage } from '../../neutral/video.ts';
import type { VideoBill, VideoPlan, VideoUnit } from '../video-provider.ts';

export interface Timed {
  milliseconds: number;
  resolution: string;
  /** `name:value` of what was really sent and may have a factor. */
  traits: readonly string[];
}

export function timedUsage({ milliseconds, resolution, traits }: Timed): Extract<VideoUsage, { by: 'time' }> {
  return { by: 'time', milliseconds, resolution, ...(traits.length > 0 && { traits }) };
}

/** As it is kept with the task. */
export function timedSent({ milliseconds, resolution, traits }: Timed): VideoPlan['sent'] {
  return { milliseconds, resolution, traits: traits.join(' ') };
}

/** `trait('sound', 'on')` and the like; what was not sent has none. */
export function trait(name: string, value: unknown): string[] {
  if (typeof value !== 'boolean' && typeof value !== 'string' && typeof value !== 'number') return [];
  const word = typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
  return word === '' || /\s/.test(word) ? [] : [`${name}:${word.toLowerCase()}`];
}

const MOST_TIMES = 10;

/**
 * Whether what an upstream counted of a video can be true (promise M-10). What is held takes every unknown at its most expensive, but
 * it is a formula of ours: a count above it is believed, so that a new model is not given away. One so far above it is a mistake
 * of somebody's, and nobody pays for it.
 */
export function isPlausible(count: number, held: number): boolean {
  return Number.isSafeInteger(count) && count >= 0 && count <= held * MOST_TIMES;
}

/** By `reported.milliseconds`, and by `reported.units` where the price goes by reports. */
export function chargedByTime(sent: VideoPlan['sent'], reported: VideoReport['reported'], unit: VideoUnit): VideoBill {
  const asked = Number(sent['milliseconds']);
  const usage = (milliseconds: number): VideoUsage =>
    timedUsage({
      milliseconds,
      resolution: String(reported['resolution'] ?? sent['resolution'] ?? ''),
      traits: String(sent['traits'] ?? '')
        .split(' ')
        .filter((one) => one !== ''),
    });
  const { units, milliseconds: made } = reported;
  if (unit === 'reported' && typeof units === 'string') return { usage: { by: 'reported', units }, source: 'upstream' };
  // Vendors that report units of their own are asked for those, not for seconds.
  if (typeof made !== 'number' || (unit === 'reported' && sent['reports'] === 'units'))
    return { usage: usage(asked), source: 'estimated' };
  if (!isPlausible(made, asked)) return { usage: usage(asked), source: 'bounded', doubted: made / 1000 };
  return { usage: usage(made), source: 'upstream' };
}

const MOST_DIGITS = 9;

/** A count of the vendor's own as exact decimal text, at most nine places, rounded half up; undefined when it is none. */
export function reportedUnits(value: unknown): string | undefined {
  const text = typeof value === 'number' ? plainNumber(value) : typeof value === 'string' ? value.trim() : '';
  const [, whole = '', fraction = ''] = /^(\d{1,15})(?:\.(\d{1,30}))?$/.exec(text) ?? [];
  if (whole === '') return undefined;
  const kept = BigInt(whole + fraction.slice(0, MOST_DIGITS).padEnd(MOST_DIGITS, '0'));
  const nano = fraction.length > MOST_DIGITS && Number(fraction[MOST_DIGITS]) >= 5 ? kept + 1n : kept;
  const digits = nano.toString().padStart(MOST_DIGITS + 1, '0');
  return `${digits.slice(0, -MOST_DIGITS)}.${digits.slice(-MOST_DIGITS)}`.replace(/\.?0+$/, '');
}

function plainNumber(value: number): string {
  if (!Number.isFinite(value) || value < 0) return '';
  const text = String(value);
  return text.includes('e') ? value.toFixed(MOST_DIGITS) : text;
}
