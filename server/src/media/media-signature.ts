// Could a file be media, by its first bytes? No process is started for what is nothing of the kind.
import type { MediaSource } from './wave-length.ts';

/** So far in, a frame of MP3 is still looked for. */
const HEAD_BYTES = 4_100;
/** RIFF and its kin, Ogg, FLAC, tags before either of the last two or MP3, and Matroska with WebM. */
const BEGINNINGS = ['RIFF', 'RIFX', 'RF64', 'OggS', 'fLaC', 'ID3', '\x1a\x45\xdf\xa3'];
/** What an MP4 or QuickTime file may begin with, after four bytes of length. */
const BOXES = ['ftyp', 'styp', 'moov', 'moof', 'mdat', 'sidx', 'emsg', 'prft', 'free', 'skip', 'wide', 'pnot'];

export async function mayBeMedia(source: MediaSource): Promise<boolean> {
  const head = await source.read(0, Math.min(source.length, HEAD_BYTES));
  const start = head.toString('latin1', 0, 8);
  if (BEGINNINGS.some((beginning) => start.startsWith(beginning))) return true;
  return BOXES.includes(start.slice(4)) || hasFrame(head);
}

/** Frames of MP3 and AAC begin with eleven set bits. */
function hasFrame(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(0xff); at !== -1; at = bytes.indexOf(0xff, at + 1))
    if ((bytes[at + 1] ?? 0) >= 0xe0) return true;
  return false;
}
