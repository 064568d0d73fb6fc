// The exact length of a WAV file from its first chunks, read as the usual decoders do: first format, first data.
export interface MediaSource {
  readonly length: number;
  read(start: number, end: number): Promise<Buffer>;
}

const MAX_CHUNKS = 64;
/** Formats whose blocks are one sample each: integers, floats, A-law, mu-law, extensible. */
const SAMPLE_FORMATS = [1, 3, 6, 7, 0xfffe];
/** Sizes of writers that could not go back to write the true one. */
const OPEN_SIZES = [0, 0xffff_ffff];

/** Undefined for what is no such file; then others may try. */
export async function waveSeconds(source: MediaSource): Promise<number | undefined> {
  if (source.length < 20) return undefined;
  const head = await source.read(0, 12);
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8) !== 'WAVE') return undefined;
  let format: Buffer | undefined;
  let at = 12;
  for (let chunks = 0; chunks < MAX_CHUNKS && at + 8 <= source.length; chunks++) {
    const chunk = await source.read(at, at + 8);
    const name = chunk.toString('latin1', 0, 4);
    const size = chunk.readUInt32LE(4);
    at += 8;
    if (name === 'fmt ' && size >= 16 && at + 16 <= source.length) format ??= await source.read(at, at + 16);
    if (name === 'data' && format !== undefined) {
      const rest = source.length - at;
      return secondsOf(OPEN_SIZES.includes(size) ? rest : Math.min(size, rest), format);
    }
    at += size + (size % 2);
  }
  return undefined;
}

const SLOWEST_RATE = 1_000;
const FASTEST_RATE = 768_000;

function secondsOf(bytes: number, format: Buffer): number | undefined {
  const rate = format.readUInt32LE(4);
  const bytesPerSecond = format.readUInt32LE(8);
  const blockBytes = format.readUInt16LE(12);
  if (!SAMPLE_FORMATS.includes(format.readUInt16LE(0)))
    return bytesPerSecond === 0 ? undefined : bytes / bytesPerSecond;
  if (rate < SLOWEST_RATE || rate > FASTEST_RATE || blockBytes === 0) return undefined; // no recorder makes that
  return Math.floor(bytes / blockBytes) / rate;
}
