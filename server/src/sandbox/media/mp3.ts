// Writes an MP3 of silence: MPEG-1 layer III, mono, 48 kHz, 32 kbit/s, so that every frame has 96 bytes and 24 ms.

const secondsPerFrame = 1152 / 48_000;
const frame = Buffer.alloc(96);
// Sync, version 1, layer III, no checksum; 32 kbit/s, 48 kHz, no padding; mono, original. All else 0: nothing to hear.
frame.set([0xff, 0xfb, 0x14, 0xc4]);

export function writeSilentMp3(seconds: number): Buffer {
  const frames = Math.max(1, Math.round(seconds / secondsPerFrame));
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}
