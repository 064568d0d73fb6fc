// What the task engine needs of a provider of videos. Everything here is pure: the engine makes the calls.
import type { VideoReport, VideoUsage, VideoWish } from '../neutral/video.ts';
import type { UpstreamComplaint } from '../protocols/protocol.ts';

export interface VideoPlan {
  /** JSON, ready to be sent. */
  body: Buffer;
  /** What it may come to at most: held before the call. */
  estimate: VideoUsage;
  /** What the charge, and the search for a submit without an answer, need to know of what was really sent; kept as JSON. */
  sent: Readonly<Record<string, number | string | boolean>>;
  /** Seconds of the video that the provider was asked for, and its size, as far as they are known: shown to clients. */
  seconds: number | undefined;
  size: string | undefined;
  /** Fields of the wish that the body does not carry, or not as they were asked for, in the caller's own names. */
  dropped: readonly string[];
  /** Seconds after which the provider itself gives the task up, where that is known. */
  expiresAfter?: number;
}

export interface VideoCallPath {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
}

export interface SubmittedLately {
  upstreamId: string;
  /** As the provider calls it. */
  model: string;
  /** Unix seconds, by the provider's clock. */
  createdAt: number;
  /** What it says of what was asked for, in the names and values that `sent` has. */
  asked: VideoPlan['sent'];
}

export interface VideoBill {
  usage: VideoUsage;
  source: 'upstream' | 'estimated' | 'bounded';
  /** Set when the provider's count cannot be true (promise M-10): the count. */
  doubted?: number;
}

export interface RecentWish {
  /** Unix seconds. */
  from: number;
  to: number;
  /** As the provider calls it. */
  model: string;
  sent: VideoPlan['sent'];
}

export interface VideoProvider {
  /** The unit of price its tasks are charged by. */
  unit: 'second' | 'video_tokens' | 'reported';
  /** Judges the wish and writes the request; throws invalid_request naming the field. */
  plan(wish: VideoWish, upstreamModel: string): VideoPlan;
  submit: { path: string; headers: Readonly<Record<string, string>> };
  /** The upstream's id of the task; undefined when the answer is not one. */
  readSubmitted(body: Buffer): string | undefined;
  /** The status that a refusal would have had, for an answer of success that is one; undefined when it is none. */
  readRefusal(body: Buffer): number | undefined;
  readComplaint(body: Buffer): UpstreamComplaint;
  fetch(upstreamId: string): VideoCallPath;
  /** undefined when the bytes say nothing about the task: then nothing changes. */
  readTask(body: Buffer): VideoReport | undefined;
  cancel(upstreamId: string): VideoCallPath;
  /** Its links to results are paths of its own API, which want the key. Others are signed, and the key is nobody's there. */
  resultsNeedKey?: true;
  /** What was submitted lately, where the provider can be asked: finds tasks whose submit had no answer. */
  recent?: { path(wish: RecentWish): VideoCallPath; read(body: Buffer): SubmittedLately[] };
  /** What a finished task is charged by, and whether the provider's word or ours decided it. */
  charged(sent: VideoPlan['sent'], told: VideoReport['told']): VideoBill;
}

/** What any vendor reports of a video can be priced, beside the unit of its kind. */
export function isChargedBy({ unit }: Pick<VideoProvider, 'unit'>, priced: string | undefined): boolean {
  return priced === unit || priced === 'reported';
}
