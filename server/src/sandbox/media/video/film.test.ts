import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { createBitWriter } from './bit-writer.ts';
import { makeFilm } from './film.ts';

const read = async (bytes: Buffer) => {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  const track = await input.getPrimaryVideoTrack();
  assert.ok(track);
  const keys: number[] = [];
  let pictures = 0;
  for await (const packet of new EncodedPacketSink(track).packets()) {
    pictures += 1;
    if (packet.type === 'key') keys.push(packet.timestamp);
  }
  const { codec, displayWidth, displayHeight } = track;
  return { seconds: await input.computeDuration(), codec, size: [displayWidth, displayHeight], pictures, keys };
};

test('a media library reads the size and the length that were asked for', async () => {
  for (const [width, height, seconds] of [
    [1280, 720, 5],
    [704, 1248, 2],
    [1112, 834, 6.62],
    [2206, 946, 3],
  ] as const) {
    const film = await read(await makeFilm({ width, height, seconds, seed: 'a' }));
    assert.deepEqual(film.size, [width, height]);
    assert.ok(Math.abs(film.seconds - seconds) < 0.001, String(film.seconds));
    assert.equal(film.codec, 'avc');
    assert.equal(film.pictures, Math.floor(seconds * 24));
    assert.deepEqual(
      film.keys,
      Array.from({ length: Math.ceil(seconds) }, (_, second) => second),
    );
  }
});

test('the seed decides the bytes, and a film stays small', async () => {
  const options = { width: 1280, height: 720, seconds: 5 };
  const film = await makeFilm({ ...options, seed: 'a' });
  assert.deepEqual(await makeFilm({ ...options, seed: 'a' }), film);
  assert.notDeepEqual(await makeFilm({ ...options, seed: 'b' }), film);
  assert.ok(film.length < 100_000, String(film.length));
});

test('Exp-Golomb codes are those of the standard', () => {
  const written = (write: (writer: ReturnType<typeof createBitWriter>) => void): string => {
    const writer = createBitWriter();
    write(writer);
    const bits = [...writer.finish()].map((byte) => byte.toString(2).padStart(8, '0')).join('');
    return bits.slice(0, bits.lastIndexOf('1'));
  };
  const unsigned = [0, 1, 2, 3, 7].map((value) => written((writer) => writer.unsigned(value)));
  assert.deepEqual(unsigned, ['1', '010', '011', '00100', '0001000']);
  const signed = [0, 1, -1, 2, -2].map((value) => written((writer) => writer.signed(value)));
  assert.deepEqual(signed, ['1', '010', '011', '00100', '00101']);
});
