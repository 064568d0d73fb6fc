// The header of one MPEG audio frame, layer III. http://www.mp3-tech.org/programmer/frame_header.html

export type Mp3Frame = { bytes: number; seconds: number };

/** kbit/s by index; MPEG-2 and 2.5 share a column. */
const mpeg1Bitrates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const mpeg2Bitrates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const sampleRates = [44_100, 48_000, 32_000];

/** Undefined when the four bytes begin no such frame. */
export function readMp3Frame(header: number): Mp3Frame | undefined {
  const version = (header >>> 19) & 3;
  const isLayer3 = ((header >>> 17) & 3) === 1;
  if (header >>> 21 !== 0x7ff || version === 1 || !isLayer3) return undefined;
  const bitrate = (version === 3 ? mpeg1Bitrates : mpeg2Bitrates)[(header >>> 12) & 15];
  const fullRate = sampleRates[(header >>> 10) & 3];
  if (bitrate === undefined || bitrate === 0 || fullRate === undefined) return undefined;
  const rate = version === 3 ? fullRate : version === 2 ? fullRate / 2 : fullRate / 4;
  const samples = version === 3 ? 1152 : 576;
  const padding = (header >>> 9) & 1;
  return { bytes: Math.floor((samples * bitrate * 125) / rate) + padding, seconds: samples / rate };
}
