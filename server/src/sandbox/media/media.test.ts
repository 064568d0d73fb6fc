import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, inflateSync } from 'node:zlib';
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import { writeSilentMp3 } from './mp3.ts';
import { createMp3Meter } from './mp3-meter.ts';
import { makePng } from './png.ts';
import { measureSpeech, sampleRate, speak } from './voice.ts';
import { measureWav, writeWav } from './wav.ts';

function readChunks(png: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const end = at + 8 + length;
    assert.equal(png.readUInt32BE(end), crc32(png.subarray(at + 4, end)));
    chunks.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, end));
    at = end + 4;
  }
  return chunks;
}

test('a PNG has its size, right checksums and all its rows; the seed decides', async () => {
  for (const [width, height] of [
    [1, 1],
    [33, 7],
    [512, 300],
  ] as const) {
    const png = await makePng({ width, height, seed: 'a' });
    assert.equal(png.toString('latin1', 1, 4), 'PNG');
    const chunks = readChunks(png);
    const header = chunks.get('IHDR');
    assert.deepEqual([header?.readUInt32BE(0), header?.readUInt32BE(4)], [width, height]);
    assert.equal(inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0)).length, (width + 1) * height);
    assert.deepEqual(await makePng({ width, height, seed: 'a' }), png);
    assert.notDeepEqual(await makePng({ width, height, seed: 'b' }), png);
  }
  const clear = await makePng({ width: 9, height: 9, seed: 'a', transparent: true });
  assert.ok(readChunks(clear).has('tRNS'));
});

const measure = async (bytes: Buffer): Promise<[number, number | undefined]> => {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  const track = await input.getPrimaryAudioTrack();
  return [await input.computeDuration(), track?.sampleRate];
};

test('speech is as long as its text takes, and a media library reads it', async () => {
  const text = 'Thirty characters, about it all';
  assert.ok(Math.abs(measureSpeech(text, 2) - text.length / 30) < 1e-9);
  const wav = writeWav(speak(text, 1), sampleRate);
  const [seconds, rate] = await measure(wav);
  assert.ok(Math.abs(seconds - text.length / 15) < 0.001);
  assert.equal(rate, 24_000);
  assert.ok(Math.abs((measureWav(wav.subarray(0, 100), wav.length) ?? 0) - seconds) < 0.001);
  assert.ok(speak(text, 1).some((byte) => byte !== 0));
});

test('silent MP3 frames are read by a media library and by the meter, in pieces of any size', async () => {
  const mp3 = writeSilentMp3(2.5);
  const [seconds, rate] = await measure(mp3);
  assert.ok(Math.abs(seconds - 2.5) < 0.05, String(seconds));
  assert.equal(rate, 48_000);
  const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x01\x05', 'latin1'), Buffer.alloc(133)]);
  for (const bytes of [mp3, Buffer.concat([tag, mp3])]) {
    for (const piece of [1, 3, 97, 5000, 1e6]) {
      const meter = createMp3Meter();
      for (let at = 0; at < bytes.length; at += piece) meter.push(bytes.subarray(at, at + piece));
      assert.ok(Math.abs(meter.seconds() - 2.496) < 0.001, `${piece}: ${meter.seconds()}`);
    }
  }
});
