// :streamGenerateContent without `alt=sse` is one JSON array whose elements come one by one, whatever the upstream
// speaks.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { upstreams } from '../conformance/axes.ts';
import { pause } from '../support/wait.ts';
import { makeWorld, suiteGateway, type World } from '../support/world.ts';
import { callNative, ownHeaders } from './native-call.ts';
import { startRecorder } from './recorder.ts';

interface Chunk {
  candidates?: { content?: { parts?: { text?: string }[] }; finishReason?: string }[];
  usageMetadata?: { promptTokenCount: number; candidatesTokenCount: number };
  error?: { code: number; message: string; status: string };
}

const textOf = (chunks: Chunk[]): string =>
  chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts?.map(({ text }) => text ?? '') ?? []).join('');

describe('a stream as a JSON array', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway();

  function ask(world: World, text: string, query?: string): Promise<Response> {
    return callNative(world, {
      style: 'generate-content',
      model: world.model,
      headers: ownHeaders('generate-content', world.key),
      method: 'streamGenerateContent',
      extra: { contents: [{ role: 'user', parts: [{ text }] }] },
      ...(query !== undefined && { query }),
    });
  }

  for (const { name, provider, options } of upstreams) {
    const channels = (behave?: string) => [{ provider, options, base_url: gateway.upstream.baseUrl(provider, behave) }];

    test(`of ${name} has the elements that the events have`, async (t) => {
      const world = await makeWorld(gateway, t, { channels: channels() });
      const asArray = await ask(world, 'Hello');
      assert.match(asArray.headers.get('content-type') ?? '', /^application\/json/);
      assert.equal(asArray.headers.get('x-accel-buffering'), 'no', 'proxies pass each element on');
      const chunks = JSON.parse(await asArray.text()) as Chunk[];
      assert.match(textOf(chunks), /^You said: Hello\. I am the sandbox/);
      assert.ok(chunks.length > 10, `${chunks.length} elements`);
      assert.equal(chunks.at(-1)?.candidates?.[0]?.finishReason, 'STOP');
      assert.ok((chunks.at(-1)?.usageMetadata?.candidatesTokenCount ?? 0) > 10);
      const asEvents = await ask(world, 'Hello', 'alt=sse');
      assert.equal(asEvents.headers.get('x-accel-buffering'), 'no');
      assert.match(asEvents.headers.get('cache-control') ?? '', /no-transform/);
      const events = (await asEvents.text())
        .split(/\r?\n\r?\n/)
        .filter((event) => event.startsWith('data: '))
        .map((event) => JSON.parse(event.slice('data: '.length)) as Chunk);
      const candidatesOf = (list: Chunk[]): unknown => list.map(({ candidates }) => candidates);
      assert.deepEqual(candidatesOf(events), candidatesOf(chunks));
    });

    test(`of ${name} comes element by element, and ends with an error that is one too`, async (t) => {
      const world = await makeWorld(gateway, t, { channels: channels('pace-40,cut-6') });
      const reader = (await ask(world, 'Hello')).body?.getReader();
      assert.ok(reader !== undefined);
      const pieces: string[] = [];
      const decoder = new TextDecoder();
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        pieces.push(decoder.decode(read.value, { stream: true }));
        await pause(1);
      }
      assert.ok(pieces.length >= 4, `${pieces.length} pieces`);
      const chunks = JSON.parse(pieces.join('')) as Chunk[];
      assert.match(textOf(chunks), /^You said: Hello/);
      assert.deepEqual([chunks.at(-1)?.error?.code, chunks.at(-1)?.error?.status], [502, 'UNAVAILABLE']);
    });
  }

  test('of gemini has the bytes of its elements, which are asked for as events', async (t) => {
    const element = (rest: string): string => `{"candidates": [{"content":{"parts":[{"text":"h\\u00e9"}]}${rest}`;
    const elements = [
      `${element('}]')} ,"later":1.0}`,
      '{"laterKind" : {"beam":1.50}}',
      `${element(',"finishReason":"STOP"}]')},"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":2}}`,
    ];
    const body = elements.map((one) => `data: ${one}\r\n\r\n`).join('');
    const recorder = await startRecorder(t, { type: 'text/event-stream', body });
    const world = await makeWorld(gateway, t, { channels: [{ provider: 'gemini', base_url: recorder.address }] });
    assert.equal(await (await ask(world, 'Hello')).text(), `[${elements.join(',\r\n')}]`);
    assert.equal(recorder.calls[0]?.path, `/v1beta/models/${world.model}.0:streamGenerateContent?alt=sse`);
  });
});
