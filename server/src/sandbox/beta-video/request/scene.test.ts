import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../../refusal.ts';
import { findModel } from '../models.ts';
import { readScene, type Scene } from './scene.ts';

const text = { type: 'text', text: 'x' };
const image = (role?: string) => ({
  type: 'image_url',
  image_url: { url: 'https://media.test/a.png' },
  ...(role === undefined ? {} : { role }),
});
const video = { type: 'video_url', video_url: { url: 'https://media.test/a.mp4' } };
const audio = { type: 'audio_url', audio_url: { url: 'https://media.test/a.mp3' }, role: 'reference_audio' };
const read = (kind: string, content: unknown): Scene => readScene(content, findModel(`doubao-seedance-${kind}`));
const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

test('the items make one of the scenes', () => {
  assert.equal(read('1-0-lite-t2v', [text]).kind, 'text');
  assert.equal(read('1-0-lite-i2v', [image()]).kind, 'first-frame');
  assert.equal(read('1-0-pro-250528', [image('first_frame'), text]).kind, 'first-frame');
  assert.equal(read('2-0-260128', [image('last_frame'), image('first_frame')]).kind, 'first-and-last-frame');
  assert.equal(read('1-0-lite-i2v', many(4, image('reference_image'))).kind, 'reference');
  const mixed = read('2-0-260128', [text, ...many(9, image('reference_image')), ...many(3, video), audio]);
  assert.deepEqual([mixed.kind, mixed.videos], ['reference', 3]);
  assert.equal(read('2-0-260128', [image(), video]).kind, 'reference');
});

test('what mixes scenes, or goes beyond the model, is refused', () => {
  const wrong: [string, unknown][] = [
    ['2-0-260128', undefined],
    ['2-0-260128', []],
    ['2-0-260128', [text, text]],
    ['2-0-260128', [{ type: 'text', text: ' ' }]],
    ['2-0-260128', [image(), image()]],
    ['2-0-260128', [image('last_frame')]],
    ['2-0-260128', [image('first_frame'), image('reference_image')]],
    ['2-0-260128', [image('first_frame'), video]],
    ['2-0-260128', many(10, image('reference_image'))],
    ['2-0-260128', many(4, video)],
    ['2-0-260128', [text, audio]],
    ['1-5-pro-251215', [text, video]],
    ['1-0-pro-250528', [image('reference_image')]],
    ['1-0-lite-t2v', [text, image()]],
    ['1-0-lite-i2v', [text]],
    ['1-0-lite-i2v', many(5, image('reference_image'))],
    ['1-0-pro-250528', [{ type: 'draft_task', draft_task: { id: 'x' } }]],
    ['2-0-260128', [text, { ...image(), extra: 1 }]],
    ['2-0-260128', [text, { type: 'image_url', image_url: 'https://media.test/a.png' }]],
    ['2-0-260128', [text, { type: 'image_url', image_url: { url: 'a.png' } }]],
    ['2-0-260128', [text, { type: 'video_url', video_url: { url: 'data:video/mp4;base64,AAAA' } }]],
    ['2-0-260128', [text, { type: 'file_url', file_url: { url: 'https://media.test/a' } }]],
    ['2-0-260128', [text, image('middle_frame')]],
  ];
  for (const [kind, content] of wrong) {
    assert.throws(
      () => read(kind, content),
      (error) => error instanceof Refusal && error.failure.status === 400,
      JSON.stringify(content),
    );
  }
});
