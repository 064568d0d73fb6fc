// What a task of family alpha is charged by: seconds at a resolution (spec 2.6, billing).
import type { VideoReport, VideoUsage, VideoRequest } from '../../neutral/video.ts';
import { metadataValue, readNumber } from '../metadata-values.ts';
import { isPlausible } from '../plausible-count.ts';
import type { VideoBill, VideoPlan } from '../video-provider.ts';
import type { Capability } from './capability.ts';
import type { Parameters } from './parameters.ts';

/** Of a source whose length nobody declared: conservative (spec 2.6). */
const UNDECLARED_SECONDS = 10;
const LEAST_DECLARED = 1;
const MOST_DECLARED = 60;

/** What is held, and kept with the task for the day of the charge. */
export interface Billable {
  milliseconds: number;
  resolution: string;
  /** What a price may have a factor for, separated by spaces. */
  traits: string;
  /** An edit is charged by what was declared, whatever it comes to. */
  isDeclared: boolean;
}

export function billableOf(request: VideoRequest, capability: Capability, parameters: Parameters): Billable {
  const { resolution, duration } = parameters;
  const seconds = capability.takesDuration && duration !== undefined ? duration : declaredSeconds(request);
  const isDeclared = !capability.takesDuration;
  return { milliseconds: Math.round(seconds * 1000), resolution, traits: traitsIn(parameters), isDeclared };
}

function traitsIn({ watermark, audio_setting: audio }: Parameters): string {
  return [`watermark:${watermark ? 'on' : 'off'}`, ...(audio === undefined ? [] : [`audio_setting:${audio}`])].join(
    ' ',
  );
}

export function readTraits(traits: unknown): string[] {
  return typeof traits === 'string' ? traits.split(' ').filter((one) => one !== '') : [];
}

function declaredSeconds({ metadata }: VideoRequest): number {
  const declared = metadataValue(metadata, 'duration');
  if (declared === undefined) return UNDECLARED_SECONDS;
  return Math.min(MOST_DECLARED, Math.max(LEAST_DECLARED, readNumber(declared, 'metadata.duration')));
}

/** What was really made, as far as the upstream says so and it can be true; else what was asked for. */
export function chargedFor(sent: VideoPlan['sent'], reported: VideoReport['reported']): VideoBill {
  const asked = Number(sent['milliseconds']);
  const made = reported['milliseconds'];
  const resolution = String(reported['resolution'] ?? sent['resolution']);
  const traits = readTraits(sent['traits']);
  const bill = (milliseconds: number): VideoUsage => ({
    by: 'time',
    milliseconds,
    resolution,
    ...(traits.length > 0 && { traits }),
  });
  if (sent['isDeclared'] === true || typeof made !== 'number') return { usage: bill(asked), source: 'estimated' };
  if (!isPlausible(made, asked)) return { usage: bill(asked), source: 'bounded', doubted: made / 1000 };
  return { usage: bill(made), source: 'upstream' };
}
