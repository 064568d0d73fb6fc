// Addresses of results: signed and good for a time, as the storage services of the real upstreams give them.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Exchange } from '../http/exchange.ts';
import type { VideoStudio } from './studio.ts';
import { changedAt, type VideoTask } from './task.ts';

export const resultPrefix = '/results/';

const usualLifeMs = 86_400_000;

/** Undefined where a directive leaves the address out. */
export function writeVideoUrl(exchange: Exchange, studio: VideoStudio, task: VideoTask): string | undefined {
  return task.behaviour.omitUrl ? undefined : writeUrl(exchange, studio, { task, file: `${task.fileName}.mp4` });
}

export function writeLastFrameUrl(exchange: Exchange, studio: VideoStudio, task: VideoTask): string {
  return writeUrl(exchange, studio, { task, file: `${task.fileName}-last.png` });
}

type Target = { task: VideoTask; file: string };

function writeUrl({ request, now }: Exchange, { linkSecret }: VideoStudio, { task, file }: Target): string {
  const { linkMs, videoMs } = task.behaviour;
  const at = now();
  // A link of its own for each poll only where a directive shortens the life of links.
  const expires = linkMs === undefined ? changedAt(task, at) + (videoMs ?? usualLifeMs) : at + linkMs;
  const query = new URLSearchParams({
    Expires: String(Math.ceil(expires)),
    Signature: sign(linkSecret, file, expires),
  });
  return `http://${request.headers.host ?? 'localhost'}${resultPrefix}${file}?${query.toString()}`;
}

export type LinkVerdict = 'good' | 'expired' | 'forged';

export function judgeLink(url: URL, { linkSecret }: VideoStudio, now: number): LinkVerdict {
  const expires = Number(url.searchParams.get('Expires'));
  const wanted = Buffer.from(sign(linkSecret, url.pathname.slice(resultPrefix.length), expires));
  const given = Buffer.from(url.searchParams.get('Signature') ?? '');
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return 'forged';
  return now < expires ? 'good' : 'expired';
}

function sign(secret: Buffer, file: string, expires: number): string {
  return createHmac('sha256', secret)
    .update(`${file}\n${Math.ceil(expires)}`)
    .digest('base64url');
}
