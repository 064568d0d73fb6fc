import assert from 'node:assert/strict';
import { test } from 'node:test';
import { videoRequestOf } from '../../testing/video-request.ts';
import { picturesOf, ratioOf, resolutionOf, secondsOf } from './common-fields.ts';

const request = (fields: object) => videoRequestOf({ model: 'm', ...fields });

test('pictures are images, else the reference (spec 2.1)', () => {
  assert.deepEqual(picturesOf(request({ images: ['a', ' b '], inputReference: 'c' })), ['a', 'b']);
  assert.deepEqual(picturesOf(request({ inputReference: 'c' })), ['c']);
  assert.deepEqual(picturesOf(request({})), []);
});

test('the length is seconds, else duration; what is no positive whole number counts as absent (spec 2.1)', () => {
  assert.equal(secondsOf(request({ seconds: '8', duration: 4 })), 8);
  assert.equal(secondsOf(request({ seconds: 'long', duration: 4 })), 4);
  for (const fields of [{ seconds: '0' }, { seconds: '5.5' }, { duration: 0 }, { duration: -1 }, {}])
    assert.equal(secondsOf(request(fields)), undefined, JSON.stringify(fields));
});

test('a size gives the nearest ratio within 5 % and the resolution of its shorter side (contract-2 7)', () => {
  const ratios = ['16:9', '9:16', '1:1', 'adaptive'];
  const golden: [string | undefined, string | undefined][] = [
    ['1280x720', '16:9'],
    ['720x1280', '9:16'],
    ['1248x704', '16:9'],
    ['1000x1000', '1:1'],
    ['16:9', '16:9'],
    ['1000x700', undefined],
    ['large', undefined],
    [undefined, undefined],
  ];
  for (const [size, ratio] of golden) assert.equal(ratioOf(size, ratios), ratio, size);
  assert.equal(resolutionOf('720x1280', ['540p', '720p']), '720p');
  assert.equal(resolutionOf('2560x1440', ['768P', '2K']), '2K');
  assert.equal(resolutionOf('3840x2160', ['4k']), '4k');
  assert.equal(resolutionOf('800x600', ['540p', '720p']), undefined);
});
