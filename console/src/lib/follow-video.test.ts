import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PublicCall } from './gateway-client.ts';

test('a video is asked about after 2 s and then every 5 s, as clients should (spec 8)', async (t) => {
  Object.assign(globalThis, { document: { baseURI: 'http://gateway.example/console/', querySelector: () => null } });
  t.after(() => Reflect.deleteProperty(globalThis, 'document'));
  const { followVideo } = await import('./follow-video.ts');
  const states = ['queued', 'in_progress', 'in_progress', 'completed'];
  const asked: number[] = [];
  let passed = 0;
  t.mock.method(globalThis, 'setTimeout', (go: () => void, ms: number) => {
    passed += ms;
    setImmediate(go);
    return 0;
  });
  t.mock.method(globalThis, 'fetch', async (address: string) => {
    if (address.endsWith('/content')) return new Response('film');
    asked.push(passed);
    return Response.json({ id: 'task_1', status: states.shift(), progress: 0, error: null });
  });
  const call = { path: '/v1/videos', key: 'sk-x', body: {} } as unknown as PublicCall;
  const { video } = await followVideo(call, () => undefined);
  assert.deepEqual([asked, await video.text()], [[0, 2_000, 7_000, 12_000], 'film']);
});
