import assert from 'node:assert/strict';
import { test } from 'node:test';
import { videoRequestOf } from '../../testing/video-request.ts';
import { keptMedia } from './kept-media.ts';

const fieldsOf = (fields: object): string[] =>
  keptMedia(videoRequestOf({ model: 'm', prompt: 'gs://in/a/prompt is text', ...fields })).map(({ field }) => field);

test('what only our key opens is found wherever it stands (contract-2 7)', () => {
  const content = [{ type: 'image_url', image_url: { url: 'asset://face' } }];
  const input = [{ content: [{ type: 'video', uri: 'https://generativelanguage.googleapis.com/v1beta/files/a-1' }] }];
  assert.deepEqual(fieldsOf({ images: ['gs://bucket/a.png'] }), ['images[0]']);
  assert.deepEqual(fieldsOf({ inputReference: ' runway://upload-1' }), ['input_reference']);
  assert.deepEqual(fieldsOf({ metadata: { image: { gcsUri: 'GS://b/x' } } }), ['metadata.image.gcsUri']);
  assert.deepEqual(fieldsOf({ metadata: { content } }), ['metadata.content[0].image_url.url']);
  assert.deepEqual(fieldsOf({ metadata: { input } }), ['metadata.input[0].content[0].uri']);
  assert.deepEqual(fieldsOf({ metadata: { previous_interaction_id: 'v1_x' } }), ['metadata.previous_interaction_id']);
  assert.deepEqual(fieldsOf({ metadata: { video: { start_frame: { generation_id: 'g' } } } }), [
    'metadata.video.start_frame.generation_id',
  ]);
  assert.deepEqual(fieldsOf({ metadata: { keyframes: { frame0: { type: 'generation', id: 'g' } } } }), [
    'metadata.keyframes.frame0.id',
  ]);
});

test('what everybody can follow, bytes and words are nobody’s (contract-2 7)', () => {
  const open = [
    'https://a.example/files/a.png',
    'https://storage.googleapis.com/b/a.png',
    'data:image/png;base64,QUJD',
  ];
  assert.deepEqual(
    fieldsOf({ images: open, metadata: { media: open, note: 'see gs://x', id: 'x', QUJD: 'QUJD' } }),
    [],
  );
});
