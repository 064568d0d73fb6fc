// The format of a picture or sound: as the ending of its file names it, and as its first bytes show it.
import { extname } from 'node:path';

const BY_ENDING: Readonly<Record<string, string>> = {
  '.png': 'png',
  '.jpg': 'jpeg',
  '.jpeg': 'jpeg',
  '.webp': 'webp',
  '.mp3': 'mp3',
  '.wav': 'wav',
  '.flac': 'flac',
  '.aac': 'aac',
  '.opus': 'opus',
  '.ogg': 'opus',
  '.pcm': 'pcm',
};

const SIGNS: readonly (readonly [format: string, sign: RegExp])[] = [
  ['png', /^\x89PNG/],
  ['jpeg', /^\xff\xd8\xff/],
  ['webp', /^RIFF.{4}WEBP/s],
  ['gif', /^GIF8/],
  ['wav', /^RIFF.{4}WAVE/s],
  ['flac', /^fLaC/],
  ['opus', /^OggS/],
  ['mp3', /^(?:ID3|\xff[\xe2\xe3\xf2\xf3\xfa\xfb])/],
  ['aac', /^\xff[\xf0\xf1\xf8\xf9]/],
];

/** undefined: it has none that is known. */
export function formatOfEnding(file: string): string | undefined {
  return BY_ENDING[extname(file).toLowerCase()];
}

/** undefined: nothing tells, as with bare samples. */
export function formatOfBytes(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 12).toString('latin1');
  return SIGNS.find(([, sign]) => sign.test(head))?.[0];
}
