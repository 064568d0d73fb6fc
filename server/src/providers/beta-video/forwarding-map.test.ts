import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VideoRequest } from '../../neutral/video.ts';
import { assertFieldRefused } from '../../testing/refusals.ts';
import { videoRequestOf } from '../../testing/video-request.ts';
import { readForwarded } from './forwarding-map.ts';

const read = (metadata: Record<string, unknown>, fields: Partial<VideoRequest> = {}) =>
  readForwarded(videoRequestOf({ model: 'beta-2-0-260128', metadata, ...fields }));

const every = {
  resolution: '720p',
  ratio: 'adaptive',
  duration: 8,
  frames: 57,
  seed: 11,
  camera_fixed: true,
  watermark: true,
  generate_audio: true,
  draft: true,
  service_tier: 'flex',
  return_last_frame: true,
  execution_expires_after: 3600,
  callback_url: 'https://caller.test/done',
  tools: [{ type: 'web_search', depth: { a: [1] } }],
};

test('every parameter of the forwarding map is handed on under its name (spec 2.5, callback_url also spec 6)', () => {
  assert.deepEqual(read(every), every);
});

test('metadata.model and keys that are not in the table stay behind (spec 2.5 rules 1 and 2)', () => {
  assert.deepEqual(read({ ...every, model: 'dearer', priority: 9, safety_identifier: 'x', content: [] }), every);
});

test('what is absent or null stays absent, defaults being the upstream’s (contract 5)', () => {
  assert.deepEqual(read({}), {});
  assert.deepEqual(read(Object.fromEntries(Object.keys(every).map((name) => [name, null]))), {});
});

test('an explicit 0, -1 or false is handed on, and ranges are not judged (contract 5)', () => {
  const flags = ['camera_fixed', 'watermark', 'generate_audio', 'draft', 'return_last_frame'];
  const negative = Object.fromEntries(flags.map((name) => [name, false]));
  assert.deepEqual(read(negative), negative);
  for (const number of [0, -1, 99_999]) {
    const numbers = { duration: number, frames: number, seed: number, execution_expires_after: number };
    assert.deepEqual(read(numbers), numbers);
  }
  assert.deepEqual(read({ resolution: '9k', ratio: '', tools: [] }), { resolution: '9k', ratio: '', tools: [] });
});

test('metadata.duration wins over seconds, and seconds over duration (spec 2.5 rule 3, contract 5)', () => {
  assert.equal(read({ duration: 6 }, { seconds: '8', duration: 9 }).duration, 6);
  assert.equal(read({ duration: -1 }, { seconds: '8' }).duration, -1);
  assert.equal(read({ duration: null }, { seconds: '8', duration: 9 }).duration, 8);
  assert.equal(read({}, { seconds: '8' }).duration, 8);
  assert.equal(read({}, { duration: 9 }).duration, 9);
});

test('seconds counts only as a positive integer (spec 2.1)', () => {
  for (const seconds of ['0', '-4', '8.5', '8s', 'long', '1e1']) {
    assert.ok(!('duration' in read({}, { seconds })), seconds);
    assert.equal(read({}, { seconds, duration: 9 }).duration, 9);
  }
  // What is too long is the upstream's to say, as it is of metadata.duration.
  assert.equal(read({}, { seconds: '3000000000' }).duration, 3_000_000_000);
});

test('numbers and booleans written as text are converted (contract 5)', () => {
  assert.deepEqual(read({ duration: '8', seed: '-1', frames: ' 57 ', watermark: 'false', draft: 'True' }), {
    duration: 8,
    seed: -1,
    frames: 57,
    watermark: false,
    draft: true,
  });
});

test('a value of a plainly wrong type is refused by its field (contract 5)', () => {
  const wrong: Record<string, unknown[]> = {
    duration: [{}, [], 'word', '', true, 5.5, '5.5'],
    frames: [{}, 'word', 1.5],
    seed: ['word', {}, false],
    execution_expires_after: ['soon', {}],
    camera_fixed: [1, 'yes', {}],
    watermark: [0, '', []],
    generate_audio: ['on', {}],
    draft: ['no', 1],
    return_last_frame: ['1', {}],
    resolution: [720, {}, ['720p'], true],
    ratio: [1, {}],
    service_tier: [1, []],
    callback_url: [{}, 7],
    tools: [{}, 'web_search', 1],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values)
      assertFieldRefused(() => read({ [name]: value }), { param: `metadata.${name}`, message: /must be/ });
  }
  assert.deepEqual(Object.keys(wrong).sort(), Object.keys(every).sort());
});
