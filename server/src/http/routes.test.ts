import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publicRoutes } from './routes.ts';

/** Spec 5, and beside it the paths that spec 4 or client libraries add to a style. */
const COMPATIBLE = [
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/responses',
  '/v1/responses/input_tokens',
  '/v1/responses/compact',
  '/v1/responses/*',
  '/v1/embeddings',
  '/v1/moderations',
  '/v1/images/generations',
  '/v1/images/edits',
  '/v1/images/variations',
  '/v1/edits',
  '/v1/audio/speech',
  '/v1/audio/transcriptions',
  '/v1/audio/translations',
  '/v1/rerank',
  '/v2/rerank',
  '/v2/chat',
  '/v2/embed',
  '/rerank',
  '/v1/quote',
  '/v1/realtime',
  '/v1/usage',
  '/v1/dashboard/billing/subscription',
  '/dashboard/billing/subscription',
  '/v1/dashboard/billing/usage',
  '/dashboard/billing/usage',
  '/api/usage/token/',
  '/api/usage/token',
  '/v1/video/generations',
  '/v1/video/generations/:id',
  '/v1/videos',
  '/v1/videos/:id',
  '/v1/videos/:id/content',
  '/v1/videos/:id/remix',
  '/v1/batches',
  '/v1/batches/:id',
  '/v1/batches/:id/cancel',
  '/kling/v1/videos/text2video',
  '/kling/v1/videos/text2video/:id',
  '/kling/v1/videos/image2video',
  '/kling/v1/videos/image2video/:id',
  '/v1/files',
  '/v1/files/:id',
  '/v1/files/:id/content',
  '/v1/models',
  '/v1/models/*',
];
const MESSAGES = [
  '/v1/messages',
  '/v1/messages/count_tokens',
  '/v1/messages/batches',
  '/v1/messages/batches/:id',
  '/v1/messages/batches/:id/cancel',
  '/v1/messages/batches/:id/results',
];
const ALIASES = [
  '/v1alpha/models',
  '/v1alpha/models/*',
  ...['/v1alpha', '/v1'].flatMap((version) =>
    ['', '/:id', '/:id/cancel'].map((rest) => `${version}/interactions${rest}`),
  ),
];
const GENERATE_CONTENT = [
  '/v1beta/models',
  '/v1beta/models/*',
  '/v1beta/interactions',
  '/v1beta/interactions/:id',
  '/v1beta/interactions/:id/cancel',
];

test('each path reads the token where spec 5 says that its style sends it', () => {
  const pathsOf = (style: string): string[] => [
    ...new Set(publicRoutes.filter(({ carrier }) => carrier === style).map(({ path }) => path)),
  ];
  // `?key=` is read on /v1beta alone (contract-2 7).
  assert.deepEqual(pathsOf('compatible').toSorted(), [...COMPATIBLE, ...ALIASES].toSorted());
  assert.deepEqual(pathsOf('messages').toSorted(), MESSAGES.toSorted());
  assert.deepEqual(pathsOf('generate-content').toSorted(), GENERATE_CONTENT.toSorted());
});
