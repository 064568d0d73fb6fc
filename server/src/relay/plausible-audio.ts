// How much audio to charge where an upstream reports the length: its report, as far as our own measure lets it be true
// (promise M-10).
import type { RelayRequest } from '../protocols/protocol.ts';

/** Upstreams round up to whole seconds, and encoders pad. */
const MEASURED_SLACK = 1.1;
/** A guess goes by 32 kbit/s; no speech is coded in less than an eighth of that. */
const GUESSED_SLACK = 8;
const ROUNDING_MS = 1_000;

/** What is held for: all that is believed of a sound that was measured; a guess is not held for many times over. */
export function audioMsToHold(audioMs: number): number {
  return Math.ceil(audioMs * MEASURED_SLACK) + ROUNDING_MS;
}

/** undefined when it was not reported or cannot be true. */
export function plausibleAudioMs(
  reportedMs: number | undefined,
  { audioMs, audioIsGuessed }: Pick<RelayRequest, 'audioMs' | 'audioIsGuessed'>,
): number | undefined {
  if (reportedMs === undefined || audioMs === undefined || reportedMs <= 0) return undefined;
  const most = audioMs * (audioIsGuessed === true ? GUESSED_SLACK : MEASURED_SLACK) + ROUNDING_MS;
  return reportedMs <= most ? reportedMs : undefined;
}
