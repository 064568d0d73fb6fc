// What the task engine needs of a provider of videos. Everything here is pure: the engine makes the calls.
import type { VideoReport, VideoUsage, VideoRequest } from '../neutral/video.ts';
import type { UpstreamComplaint } from '../protocols/protocol.ts';
import type { UpstreamSettings } from './upstream-settings.ts';

export interface VideoPlan {
  /** Ready to be sent. */
  body: VideoBody;
  /** What it may come to at most: held before the call. */
  estimate: VideoUsage;
  /** What the charge, and the search for a submit without an answer, need to know of what was really sent; kept as JSON. */
  sent: Readonly<Record<string, number | string | boolean>>;
  /** Seconds of the video that the provider was asked for, and its size, as far as they are known: shown to clients. */
  seconds: number | undefined;
  size: string | undefined;
  /** Fields of the request that the body does not carry, or not as they were asked for, in the caller's own names. */
  dropped: readonly string[];
  /** Where it is submitted, where that is not where all others are. */
  path?: string;
  /** Seconds after which the provider itself gives the task up, where that is known. */
  expiresAfter?: number;
}

/** Address of a video that has none: it stands in the answer to every poll. */
export const INLINE_VIDEO = 'inline:';

export interface InlineVideo {
  contentType: string;
  bytes: Buffer;
}

/** JSON or a form: see `jsonBody` and `formBody`. */
export interface VideoBody {
  contentType: string;
  bytes: Buffer;
}

/** One call to the provider. The engine adds the channel's own headers and the key. */
export interface VideoCall {
  method: 'GET' | 'POST' | 'DELETE';
  /** With its query, under the channel's base address; a function where it depends on the channel's options or key. */
  path: string | ((settings: UpstreamSettings) => string);
  headers?: Readonly<Record<string, string>>;
  body?: VideoBody;
}

/** What later calls about a task need: the provider's id of it, and what else their paths and bodies depend on. */
export interface VideoHandle {
  readonly id: string;
  readonly [name: string]: string;
}

/** What a provider's handle is made of. */
export interface Submitted {
  upstreamId: string;
  sent: VideoPlan['sent'];
  /** The answer to the submit; undefined when the task was found in a list of the provider. */
  body: Buffer | undefined;
}

/** Units of price that videos can have. */
export type VideoUnit = 'second' | 'video_tokens' | 'reported';

export interface SubmittedLately {
  upstreamId: string;
  /** As the provider calls it. */
  model: string;
  /** Unix seconds, by the provider's clock. */
  createdAt: number;
  /** What it says of what was asked for, in the names and values that `sent` has. */
  asked: VideoPlan['sent'];
  /** The name that our submit gave it (`sent.ownHandle`): decides alone, where the provider keeps one. */
  ownHandle?: string | undefined;
}

export interface VideoBill {
  usage: VideoUsage;
  source: 'upstream' | 'estimated' | 'bounded';
  /** Set when the provider's count cannot be true (promise M-10): the count. */
  doubted?: number;
}

export interface RecentQuery {
  /** Unix seconds. */
  from: number;
  to: number;
  /** As the provider calls it. */
  model: string;
  sent: VideoPlan['sent'];
}

export interface VideoProvider {
  /** Units of price that its tasks can be charged by. */
  units: readonly VideoUnit[];
  /** Takes no pictures by link: they are fetched, and planned again as data addresses, when the money is held. */
  wantsBytes?: true;
  /** Checks the neutral request and writes the provider's; throws invalid_request naming the field. */
  plan(request: VideoRequest, upstreamModel: string): VideoPlan;
  submit(plan: VideoPlan): VideoCall;
  /** The upstream's id of the task; undefined when the answer is not one. */
  readSubmitted(body: Buffer): string | undefined;
  /** The handle, where the id alone is not enough. It is kept with the task as JSON and given back as it was. */
  handleOf?(submitted: Submitted): VideoHandle;
  /**
   * The status that the body's code stands for, judged before the answer's own status: of an answer of success that is a
   * refusal, or of an error whose status does not mean what it says. undefined when the answer's own status is right.
   */
  readRefusal(body: Buffer, status: number): number | undefined;
  readComplaint(body: Buffer): UpstreamComplaint;
  /** Asks how the task is. */
  poll(handle: VideoHandle): VideoCall;
  /**
   * undefined when the bytes say nothing about the task: then nothing changes. A video's address is absolute, a path under the
   * channel's base address (then `resultsNeedKey` must be set), or `INLINE_VIDEO` for one that is in the answer itself.
   */
  readTask(body: Buffer): VideoReport | undefined;
  /** The link in the answer at a report's `linkAt`. */
  readLink?(body: Buffer): string | undefined;
  /** The video in the answer to a poll, where a report says `INLINE_VIDEO`. */
  readInline?(body: Buffer): InlineVideo | undefined;
  /** Absent, or undefined for this task, where the provider cannot be asked to stop. */
  cancel?(handle: VideoHandle): VideoCall | undefined;
  /** Plans a request with `remix` too. Requests of that kind are for nobody else. */
  remixes?: true;
  /** What else than the video its links lead to, by `variant` in their query. */
  variants?: readonly string[];
  /** Its links to results are paths of its own API, which want the key. Others are signed, and the key is nobody's there. */
  resultsNeedKey?: true;
  /** Its links die within a day: videos are archived at once, unless the channel's option `archive` is false. */
  linksDieSoon?: true;
  /** What was submitted lately, where the provider can be asked: finds tasks whose submit had no answer. */
  recent?: { path(request: RecentQuery): VideoCall; read(body: Buffer): SubmittedLately[] };
  /** What a finished task is charged by, and whether the provider's word or ours decided it. */
  charged(sent: VideoPlan['sent'], reported: VideoReport['reported'], unit: VideoUnit): VideoBill;
}

export function isChargedBy({ units }: Pick<VideoProvider, 'units'>, priced: string | undefined): boolean {
  return units.some((unit) => unit === priced);
}
