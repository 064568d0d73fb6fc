import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { estimateTokens, type EstimateFacts } from './estimate-tokens.ts';

const NEW = 'vendor-2-0-260128';
const OLD = 'vendor-1-0-pro-250528';
const MIDDLE = 'vendor-1-5-pro-251215';
const tokens = (forwarded: EstimateFacts['forwarded'], facts: Partial<EstimateFacts> = {}): number =>
  estimateTokens({ model: 'beta', upstreamModel: NEW, prompt: 'a boat', holdsVideo: false, ...facts, forwarded });
/** (24 x seconds + 1) frames, with the margin of 2 %. */
const formula = (seconds: number, pixels: number): number => Math.ceil(((24 * seconds + 1) * pixels * 1.02) / 1024);

test('the estimate is the published formula and a little more', () => {
  assert.equal(tokens({ resolution: '720p', ratio: '16:9', duration: 5 }), formula(5, 1280 * 720));
  assert.equal(tokens({ resolution: '480p', ratio: '9:16', duration: 10 }), formula(10, 864 * 496));
  assert.equal(tokens({ resolution: '1080P', ratio: '3:4', duration: 4 }), formula(4, 1664 * 1248));
});

test('counts that were published stay within it, by less than eight percent', () => {
  const published: [EstimateFacts['forwarded'], string, number][] = [
    [{ resolution: '720p', ratio: '16:9', duration: 5 }, NEW, 108_900],
    [{ resolution: '1080p', ratio: '16:9', duration: 5 }, NEW, 246_840],
    [{ resolution: '720p', ratio: '16:9', duration: 15 }, NEW, 308_880],
  ];
  for (const [forwarded, upstreamModel, counted] of published) {
    const held = tokens(forwarded, { upstreamModel });
    assert.ok(held >= counted && held < counted * 1.08, `${held} for ${counted}`);
  }
});

test('what is not said is taken at the spec’s default: 5 seconds of 1080p, in the largest ratio', () => {
  assert.equal(tokens({}), formula(5, 1920 * 1088));
  assert.equal(tokens({ ratio: 'adaptive', resolution: '720p' }), formula(5, 1504 * 640));
});

test('a resolution that is not known is held at the largest there is', () => {
  assert.equal(tokens({ resolution: '8k', ratio: '16:9' }), formula(5, 3840 * 2160));
  assert.equal(tokens({ resolution: '8k', ratio: '16:9' }, { upstreamModel: OLD }), formula(5, 1920 * 1088));
  assert.equal(
    tokens({ resolution: '8k' }, { upstreamModel: 'ep-1', model: 'beta-1-0-lite-t2v' }),
    formula(5, 1920 * 1088),
  );
  assert.equal(tokens({ resolution: '2k', ratio: '16:9' }), formula(5, 2560 * 1440));
});

test('a length that the model chooses is held at its longest', () => {
  for (const duration of [-1, 0]) {
    assert.equal(tokens({ duration, resolution: '480p', ratio: '1:1' }), formula(15, 640 * 640));
    const old = tokens({ duration, resolution: '480p', ratio: '1:1' }, { upstreamModel: MIDDLE });
    assert.equal(old, formula(12, 640 * 640));
  }
});

test('frames decide on 1.0 models, and elsewhere only where they come to more', () => {
  const square = { resolution: '480p', ratio: '1:1' };
  assert.equal(tokens({ ...square, frames: 48, duration: 10 }, { upstreamModel: OLD }), formula(2, 640 * 640));
  assert.equal(tokens({ ...square, frames: 48, duration: 10 }), formula(10, 640 * 640));
  assert.equal(tokens({ ...square, frames: 288 }), formula(12, 640 * 640));
});

test('video input adds the longest that may be sent in', () => {
  const requested = { resolution: '720p', ratio: '16:9', duration: 5 };
  assert.equal(tokens(requested, { holdsVideo: true }), formula(20, 1280 * 720));
});

test('suffixes in the prompt are held for where they come to more', () => {
  const requested = { resolution: '480p', ratio: '1:1', duration: 5 };
  const held = (prompt: string) => tokens(requested, { prompt, upstreamModel: OLD });
  const plain = formula(5, 640 * 640);
  assert.equal(held('a boat --dur 10'), formula(10, 640 * 640));
  assert.equal(held('a boat --duration 10 --dur 7'), formula(10, 640 * 640));
  assert.equal(held('a boat --frames 240'), formula(10, 640 * 640));
  assert.equal(held('a boat --rs 1080p'), formula(5, 1440 * 1440));
  assert.equal(held('a boat --resolution 720P --rs 1080p --dur 12'), formula(12, 1440 * 1440));
  assert.equal(held('a boat --rt 16:9'), formula(5, 864 * 496));
  assert.equal(held('a boat --dur 9999'), formula(12, 640 * 640));
  for (const prompt of ['a boat --dur 2', 'a boat --rs 480p', 'a boat --dur long', 'a boat --rs', 'dur 12 rs 1080p'])
    assert.equal(held(prompt), plain, prompt);
});

test('the estimate is a whole number of tokens, whatever is asked for', () => {
  const number = fc.option(fc.maxSafeInteger(), { nil: undefined });
  fc.assert(
    fc.property(number, number, fc.string(), fc.boolean(), (duration, frames, resolution, holdsVideo) => {
      const requested = {
        resolution,
        ...(duration !== undefined && { duration }),
        ...(frames !== undefined && { frames }),
      };
      const count = tokens(requested, { holdsVideo });
      assert.ok(Number.isSafeInteger(count) && count > 0);
    }),
  );
});
