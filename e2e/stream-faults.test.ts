// A stream that breaks after its first event: the caller gets the error inside the stream, no other channel is asked, and what was
// produced is charged (contract 5).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chat, readStream } from './support/chat.ts';
import { nano, requestOf } from './support/money.ts';
import { startStub } from './support/stub.ts';
import { makeWorld, suiteGateway } from './support/world.ts';

const faults = [
  { behave: 'cut-3', code: 'upstream_error' },
  { behave: 'cut-3,split', code: 'upstream_error' },
  { behave: 'end-3', code: 'upstream_error' },
  { behave: 'error-event-3', code: 'upstream_error' },
  { behave: 'stall-3', code: 'upstream_timeout' },
];

function chunk(content: string, rest = ''): string {
  const choice = `{"index":0,"delta":{"content":"${content}"},"finish_reason":null}`;
  return `{"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[${choice}]${rest}}`;
}

describe('a stream that breaks', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway();

  for (const { behave, code } of faults) {
    test(`${behave}: ends with an error event, costs what was produced, and nobody else is asked (promise S-05)`, async (t) => {
      const world = await makeWorld(gateway, t, {
        channels: [{ behave, priority: 9, options: { idle_ms: 300 } }, {}],
      });
      const response = await chat(world, 'go on', { stream: true, stream_options: { include_usage: true } });
      const { events, text, error, done, raw } = await readStream(response);
      assert.match(text, /^You said:/);
      assert.ok(!done, 'a broken stream has no end marker');
      assert.ok(!raw.includes('[DONE]'));
      assert.deepEqual(events.at(-1), { error });
      assert.deepEqual(Object.keys(error ?? {}).sort(), ['code', 'message', 'param', 'type']);
      assert.equal(error?.code, code);
      assert.ok(!raw.includes(new URL(gateway.upstream.address).host));
      assert.equal(world.calls(1).length, 0);

      const logged = await requestOf(gateway, response);
      assert.deepEqual([logged.status, logged.error_code, logged.usage_source], [200, code, 'counted']);
      const output = Number(logged.usage?.['output_tokens']);
      assert.ok(output >= 3 && output <= 4, `${output} tokens counted for 3 pieces`);
      assert.ok(nano(logged.charge) > 0n);
      assert.notEqual(logged.attempts[0]?.error, null);
    });
  }

  test('truncated-3: half an event is followed by an error event, never by an end marker', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{ behave: 'truncated-3' }] });
    const response = await chat(world, 'go on', { stream: true });
    const raw = await response.text();
    assert.ok(!raw.includes('[DONE]'));
    const last = raw.split('\n\n').findLast((block) => block !== '') ?? '';
    const { error } = JSON.parse(last.replace('data: ', '')) as { error: { code: string } };
    assert.equal(error.code, 'upstream_error');
    assert.equal((await requestOf(gateway, response)).usage_source, 'counted');
  });

  test('five broken streams open the breaker: the next request goes to the other channel', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{ behave: 'cut-1', priority: 9 }, {}] });
    for (let count = 0; count < 5; count++) await readStream(await chat(world, 'again', { stream: true }));
    assert.ok((await readStream(await chat(world, 'again', { stream: true }))).done);
    assert.deepEqual([world.calls(0).length, world.calls(1).length], [5, 1]);
  });

  test('text that looks like an end marker, usage or an error is only text', async (t) => {
    const world = await makeWorld(gateway, t);
    const prompt = 'data: [DONE] {"error":{"message":"x"}} "usage": {"prompt_tokens":1,"completion_tokens":1}';
    const response = await chat(world, prompt, { stream: true });
    const { text, error, done } = await readStream(response);
    assert.ok(text.includes(prompt), text);
    assert.ok(done && error === undefined);
    assert.equal((await requestOf(gateway, response)).usage_source, 'upstream');
  });

  test('line ends of all three kinds, and usage beside the last words, are understood', async (t) => {
    for (const end of ['\n', '\r\n', '\r']) {
      const stream = [
        chunk('a'),
        chunk('b', ',"usage":null'),
        chunk('c', ',"usage":{"prompt_tokens":7,"completion_tokens":2}').replace(
          '"finish_reason":null',
          '"finish_reason":"stop"',
        ),
        '[DONE]',
      ]
        .map((data) => `data: ${data}${end}${end}`)
        .join('');
      const base_url = await startStub(t, (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const byte of Buffer.from(stream)) response.write(Buffer.of(byte));
        response.end();
      });
      const world = await makeWorld(gateway, t, { channels: [{ base_url }] });
      const response = await chat(world, 'x', { stream: true });
      const raw = await response.text();
      const contents = [...raw.matchAll(/"content":"(\w)"/g)].map(([, letter]) => letter);
      assert.deepEqual(contents, ['a', 'b', 'c'], JSON.stringify(raw));
      assert.ok(raw.endsWith('data: [DONE]\n\n'), JSON.stringify(raw));
      assert.deepEqual((await requestOf(gateway, response)).usage, { input_tokens: 7, output_tokens: 2 });
    }
  });

  test('comments, other fields and events of the upstream in one block are relayed in order', async (t) => {
    const stream =
      `: welcome\n\nid: 1\nevent: message\ndata: ${chunk('a')}\n\n: ping\n\ndata:${chunk('b', ',"usage":null')}\n\n` +
      `data: ${chunk('c').replace('null', '"stop"')}\n\ndata: {"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":3}}\n\ndata: [DONE]\n\n`;
    const base_url = await startStub(t, (_, response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream),
    );
    const world = await makeWorld(gateway, t, { channels: [{ base_url }] });
    const response = await chat(world, 'x', { stream: true });
    const raw = await response.text();
    const contents = [...raw.matchAll(/"content":"(\w)"/g)].map(([, letter]) => letter);
    assert.deepEqual(contents, ['a', 'b', 'c']);
    assert.ok(raw.endsWith('data: [DONE]\n\n') && !raw.includes('prompt_tokens'));
    assert.equal(raw.match(/\[DONE\]/g)?.length, 1);
    assert.match(raw, /id: 1\nevent: message\n/);
    assert.deepEqual((await requestOf(gateway, response)).usage, { input_tokens: 5, output_tokens: 3 });
  });
});
