import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  MovOutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  WebMOutputFormat,
  type OutputFormat,
} from 'mediabunny';
import { type AudioHint, audioSeconds, makeAudioMeter } from './audio-length.ts';
import type { MediaSource } from './wave-length.ts';

/** What is right does not depend on the machine's speed. */
const unhurriedSeconds = makeAudioMeter({ readMs: 60_000, waitMs: 60_000 });
const lengthOf = (bytes: Buffer, hint: AudioHint = {}): Promise<number | undefined> =>
  unhurriedSeconds(sourceOf(bytes), hint);
const sourceOf = (bytes: Buffer): MediaSource => ({
  length: bytes.length,
  read: async (start, end) => bytes.subarray(start, end),
});

function chunk(name: string, content: Buffer, size = content.length): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(size, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

interface Wave {
  rate?: number;
  blockBytes?: number;
  data: Buffer;
  dataSize?: number;
  before?: Buffer;
}

function wave({ rate = 8000, blockBytes = 2, data, dataSize = data.length, before = Buffer.alloc(0) }: Wave): Buffer {
  const format = Buffer.alloc(16);
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt32LE(rate * blockBytes, 8);
  format.writeUInt16LE(blockBytes, 12);
  format.writeUInt16LE(blockBytes * 8, 14);
  const chunks = Buffer.concat([Buffer.from('WAVE'), chunk('fmt ', format), before, chunk('data', data, dataSize)]);
  return chunk('RIFF', chunks);
}

describe('WAV', () => {
  test('is exact', async () => {
    const property = fc.asyncProperty(
      fc.nat({ max: 5000 }),
      fc.constantFrom(1, 2, 4),
      fc.integer({ min: 1, max: 96_000 }),
      async (samples, blockBytes, rate) => {
        assert.equal(
          await lengthOf(wave({ rate, blockBytes, data: Buffer.alloc(samples * blockBytes) })),
          samples / rate,
        );
      },
    );
    await fc.assert(property);
  });

  test('with other chunks before the data, cut off, or of a size that its writer did not know', async () => {
    const data = Buffer.alloc(16_000);
    assert.equal(await lengthOf(wave({ data, before: chunk('LIST', Buffer.alloc(333_333)) })), 1);
    assert.equal(await lengthOf(wave({ data }).subarray(0, -8000)), 0.5);
    for (const dataSize of [0, 0xffff_ffff]) assert.equal(await lengthOf(wave({ data, dataSize })), 1);
    assert.equal(await lengthOf(wave({ data, rate: 0 })), undefined);
  });
});

/** MPEG 1 layer III, 44.1 kHz; index 9 is 128 kbit/s. */
function frame(bitRateIndex: number, text = ''): Buffer {
  const kilobits = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160][bitRateIndex] ?? 0;
  const bytes = Buffer.alloc(Math.floor((144_000 * kilobits) / 44_100));
  bytes.writeUInt32BE(0xfffb_0000 + bitRateIndex * 0x1000);
  bytes.write(text, 36);
  return bytes;
}
const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x02\0', 'latin1'), Buffer.alloc(256)]);
const FRAME_SECONDS = 1152 / 44_100;

describe('MP3', () => {
  test('is the sum of its frames: constant or varying, with tags, damage and a false count in its first frame', async () => {
    const frames = Array.from({ length: 2000 }, (_, index) => frame(5 + (index % 6)));
    const near = async (bytes: Buffer, count: number): Promise<void> => {
      const seconds = await lengthOf(bytes, { filename: 'a.mp3' });
      assert.ok(Math.abs((seconds ?? 0) - count * FRAME_SECONDS) < 1e-9, `${seconds}`);
    };
    await near(Buffer.concat(Array.from({ length: 100 }, () => frame(9))), 100);
    await near(Buffer.concat([tag, tag, ...frames, Buffer.from(`TAG${'x'.repeat(125)}`)]), 2000);
    await near(Buffer.concat([frame(9, 'Xing\0\0\0\x01\0\0\0\x01'), ...frames]), 2000);
    await near(Buffer.concat([...frames, Buffer.alloc(5000), ...frames]), 4000);
    await near(Buffer.concat(frames).subarray(0, -10), 1999);
  });
});

interface Sound {
  codec: 'opus' | 'pcm-s16';
  packet: Uint8Array;
  description?: Uint8Array;
}
const OPUS: Sound = {
  codec: 'opus',
  packet: new Uint8Array([0xf8, 0xff, 0xfe]),
  description: Buffer.from('OpusHead\x01\x01\0\0\x80\xbb\0\0\0\0\0', 'latin1'),
};
const PCM: Sound = { codec: 'pcm-s16', packet: new Uint8Array(1920) };

/** Twenty milliseconds of silence a packet, fifty a second. */
async function record(format: OutputFormat, packets: number, sound = OPUS): Promise<Buffer> {
  const { codec, packet, description } = sound;
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const track = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(track);
  await output.start();
  const config = { codec, numberOfChannels: 1, sampleRate: 48_000 };
  const meta = { decoderConfig: description === undefined ? config : { ...config, description } };
  for (let index = 0; index < packets; index++)
    await track.add(new EncodedPacket(packet, 'key', index / 50, 0.02), meta);
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer(0));
}

describe('containers', () => {
  const formats = { 'a.ogg': new OggOutputFormat(), 'a.webm': new WebMOutputFormat(), 'a.m4a': new Mp4OutputFormat() };
  for (const [filename, format] of Object.entries(formats))
    test(filename, async () => {
      const bytes = await record(format, 500);
      for (const hint of [{ filename }, {}, { contentType: 'audio/mpeg' }]) {
        const seconds = await lengthOf(bytes, hint);
        assert.ok(Math.abs((seconds ?? 0) - 10) < 0.03, `${seconds}`);
      }
    });

  test('whose ranges come late and out of order, with a name that is no ending', async () => {
    const bytes = await record(new Mp4OutputFormat(), 30_000);
    const read = async (start: number, end: number): Promise<Buffer> => {
      await wait((start % 7) * 3);
      return bytes.subarray(start, end);
    };
    const hints = ['a.constructor', 'a.__proto__', 'a.webm', 'a'].map((filename) => ({ filename }));
    const lengths = await Promise.all(hints.map((hint) => unhurriedSeconds({ length: bytes.length, read }, hint)));
    for (const seconds of lengths) assert.ok(Math.abs((seconds ?? 0) - 600) < 0.03, `${seconds}`);
  });

  test('cut off anywhere or with any byte changed: a number or undefined, never without end', async () => {
    const files = [
      await record(formats['a.webm'], 50),
      await record(formats['a.m4a'], 50),
      await record(formats['a.ogg'], 50),
    ];
    const property = fc.asyncProperty(
      fc.constantFrom(...files),
      fc.nat(),
      fc.nat(),
      fc.nat({ max: 255 }),
      async (file, cut, at, byte) => {
        const bytes = Buffer.from(file.subarray(0, cut % 3 === 0 ? cut % file.length : file.length));
        bytes[at % file.length] = byte;
        const seconds = await audioSeconds(sourceOf(bytes), {});
        assert.ok(seconds === undefined || seconds >= 0);
      },
    );
    await fc.assert(property, { numRuns: 200 });
  });
});

/** Answers those before the reader starts, then never again. */
function stalling(bytes: Buffer, stall = () => new Promise<Buffer>(() => {})): MediaSource {
  let reads = 0;
  return {
    length: bytes.length,
    read(start, end) {
      return ++reads > 4 ? stall() : Promise.resolve(bytes.subarray(start, end));
    },
  };
}

describe('what cannot be read', () => {
  test('a table that claims thousands of millions of chunks ends the reader, not the gateway', async () => {
    const bytes = await record(new MovOutputFormat(), 60, PCM);
    assert.equal(await lengthOf(bytes), 1.2);
    const table = bytes.indexOf('stsc');
    assert.equal(bytes.readUInt32BE(table + 8), 2, 'entries');
    bytes.writeUInt32BE(0xffff_ffff, table + 12 + 12);
    const before = process.memoryUsage.rss();
    await audioSeconds(sourceOf(bytes), {});
    assert.ok(process.memoryUsage.rss() - before < 300 * 1024 * 1024);
    assert.equal(await lengthOf(await record(new MovOutputFormat(), 50, PCM)), 1);
  });

  test('garbage, texts, nothing', async () => {
    const property = fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), async (bytes) => {
      const hint = { filename: 'a.mp3', contentType: 'audio/mpeg' };
      const seconds = await audioSeconds(sourceOf(Buffer.from(bytes)), hint);
      assert.ok(seconds === undefined || seconds < 10);
    });
    await fc.assert(property, { numRuns: 50 });
    for (const text of ['', '#EXTM3U\n#EXTINF:9,\nhttp://127.0.0.1/x.ts\n', 'RIFF', 'x'.repeat(100_000)])
      assert.equal(await lengthOf(Buffer.from(text)), undefined);
  });

  test('a source that fails or never answers', async () => {
    const failing = { length: 1000, read: () => Promise.reject(new Error('gone')) };
    assert.equal(await audioSeconds(failing, {}), undefined);
    const bytes = await record(new OggOutputFormat(), 50);
    assert.equal(await audioSeconds(stalling(bytes), {}), undefined);
    assert.ok(Math.abs(((await lengthOf(bytes)) ?? 0) - 1) < 0.03, 'and the next file is read');
  });

  test('a file that takes all its time does not make another wait', async () => {
    const bytes = await record(new OggOutputFormat(), 50);
    let isOver = false;
    const [stalled, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<Buffer>()];
    const source = stalling(bytes, () => {
      stalled.resolve();
      return gone.promise;
    });
    const slow = unhurriedSeconds(source, {}).finally(() => (isOver = true));
    await stalled.promise; // its reader has been started and waits
    assert.ok(Math.abs(((await lengthOf(bytes)) ?? 0) - 1) < 0.03);
    assert.equal(isOver, false);
    gone.reject(new Error('gone'));
    assert.equal(await slow, undefined);
  });

  test('of many slow files at once, each has an end', async () => {
    const bytes = await record(new OggOutputFormat(), 50);
    const lengths = await Promise.all(Array.from({ length: 8 }, () => audioSeconds(stalling(bytes), {})));
    assert.deepEqual(lengths, Array(8).fill(undefined));
  });
});
