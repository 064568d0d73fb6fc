// Reads media files in a process of its own: a hostile file can make a reader loop or fill its heap, which would end the
// gateway even from a thread. It opens no file: it asks for each range of bytes.
import * as media from 'mediabunny';

export type ToProcess =
  | { kind: 'measure'; size: number; likely: string | undefined }
  | { kind: 'bytes'; id: number; bytes: Uint8Array };
export type FromProcess =
  | { kind: 'want'; id: number; start: number; end: number }
  /** What the headers say. */
  | { kind: 'estimate'; seconds: number }
  /** What the packets say; undefined when it is no audio. */
  | { kind: 'done'; seconds: number | undefined };

/** Of mediabunny's formats those that stand in one file; HLS would go on to fetch others. */
const FORMATS: Record<string, media.InputFormat[]> = {
  mp4: [media.MP4, media.QTFF],
  webm: [media.WEBM, media.MATROSKA],
  wav: [media.WAVE],
  ogg: [media.OGG],
  flac: [media.FLAC],
  mp3: [media.MP3],
  aac: [media.ADTS],
};
const CACHE_BYTES = 2 * 1024 * 1024;
const MAX_TRACKS = 8;

const waiting = new Map<number, (bytes: Uint8Array) => void>();
let nextId = 0;
const say = (message: FromProcess): void => void process.send?.(message);

process.on('disconnect', () => process.exit());
process.on('message', (message: ToProcess) => {
  if (message.kind === 'bytes') {
    waiting.get(message.id)?.(message.bytes);
    waiting.delete(message.id);
    return;
  }
  waiting.clear();
  measure(message.size, message.likely).then(
    (seconds) => say({ kind: 'done', seconds }),
    () => say({ kind: 'done', seconds: undefined }),
  );
});

async function measure(size: number, likely: string | undefined): Promise<number | undefined> {
  const formats = [...new Set([...(FORMATS[likely ?? ''] ?? []), ...Object.values(FORMATS).flat()])];
  const source = new media.CustomSource({
    getSize: () => size,
    read: (start, end) =>
      new Promise((resolve) => {
        const id = nextId++;
        waiting.set(id, resolve);
        say({ kind: 'want', id, start, end });
      }),
    maxCacheSize: CACHE_BYTES,
    prefetchProfile: 'fileSystem',
    handleUnhandledError: () => {},
  });
  const input = new media.Input({ source, formats });
  try {
    const tracks = (await input.getAudioTracks()).slice(0, MAX_TRACKS);
    if (tracks.length === 0) return undefined;
    const estimate = await input.getDurationFromMetadata(tracks);
    const format = await input.getFormat();
    // To walk their packets is slow, and decoders believe these headers too.
    if (estimate !== null && (format === media.FLAC || format === media.MP3)) return estimate;
    if (estimate !== null) say({ kind: 'estimate', seconds: estimate });
    return await input.computeDuration(tracks);
  } finally {
    input.dispose();
  }
}
