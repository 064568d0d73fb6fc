// The playing time of an uploaded recording, from what is known of the file.
import type { FormFile } from '../http/form/form.ts';
import { readMp3Frame } from './mp3-frame.ts';
import { measureWav } from './wav.ts';

/** For containers that tell their length only further inside: as at 32 kbit/s. */
const guessedBytesPerSecond = 4000;
const containerMarks: readonly [at: number, mark: string][] = [
  [0, 'OggS'],
  [4, 'ftyp'],
  [0, '\x1a\x45\xdf\xa3'],
];

/** Undefined when the file is no audio. */
export function measureAudio({ head, bytes, mp3Seconds }: FormFile): number | undefined {
  const mark = (at: number, length: number): string => head.toString('latin1', at, at + length);
  if (mark(0, 4) === 'RIFF') return measureWav(head, bytes);
  if (mark(0, 4) === 'fLaC') return measureFlac(head);
  if (mark(0, 3) === 'ID3' || (head.length >= 4 && readMp3Frame(head.readUInt32BE(0)) !== undefined)) {
    return mp3Seconds > 0 ? mp3Seconds : undefined;
  }
  const isContainer = containerMarks.some(([at, text]) => mark(at, text.length) === text);
  return isContainer ? bytes / guessedBytesPerSecond : undefined;
}

/** The first block of a FLAC tells rate and number of samples. https://www.rfc-editor.org/rfc/rfc9639#section-8.2 */
function measureFlac(head: Buffer): number | undefined {
  if (head.length < 26) return undefined;
  const rate = head.readUIntBE(18, 3) >>> 4;
  const samples = ((head[21] ?? 0) & 15) * 2 ** 32 + head.readUInt32BE(22);
  return rate > 0 && samples > 0 ? samples / rate : undefined;
}
