// What a task of family alpha is charged by: seconds at a resolution (spec 2.6, billing).
import type { VideoReport, VideoRequest } from '../../neutral/video.ts';
import { metadataValue, readNumber } from '../metadata-values.ts';
import { chargedByTime, type Timed, trait } from '../video/bill-by-time.ts';
import type { VideoBill, VideoPlan } from '../video-provider.ts';
import type { Capability } from './capability.ts';
import type { Parameters } from './parameters.ts';

/** Of a source whose length nobody declared: conservative (spec 2.6). */
const UNDECLARED_SECONDS = 10;
const LEAST_DECLARED = 1;
const MOST_DECLARED = 60;

/** What is held, and kept with the task for the day of the charge. */
export interface Billable extends Timed {
  /** An edit is charged by what was declared, whatever it comes to. */
  isDeclared: boolean;
}

export function billableOf(request: VideoRequest, capability: Capability, parameters: Parameters): Billable {
  const { resolution, duration, watermark, audio_setting: audio } = parameters;
  const seconds = capability.takes.includes('duration') && duration !== undefined ? duration : declaredSeconds(request);
  const traits = [...trait('watermark', watermark), ...trait('audio_setting', audio)];
  return {
    milliseconds: Math.round(seconds * 1000),
    resolution,
    traits,
    isDeclared: !capability.takes.includes('duration'),
  };
}

function declaredSeconds({ metadata }: VideoRequest): number {
  const declared = metadataValue(metadata, 'duration');
  if (declared === undefined) return UNDECLARED_SECONDS;
  return Math.min(MOST_DECLARED, Math.max(LEAST_DECLARED, readNumber(declared, 'metadata.duration')));
}

/** What was really made, as far as the upstream says so and it can be true; else what was asked for. */
export function chargedFor(sent: VideoPlan['sent'], reported: VideoReport['reported']): VideoBill {
  const { milliseconds: _, ...declared } = reported;
  return chargedByTime(sent, sent['isDeclared'] === true ? declared : reported, 'second');
}
