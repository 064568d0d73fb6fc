// Contract 5: where client and upstream speak the same protocol, what the gateway does not know passes as it is: fields,
// content blocks and events, in the bytes in which they came.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { requestOf } from '../support/money.ts';
import { makeWorld, suiteGateway, type World } from '../support/world.ts';
import { type ForeignWords, foreignWords } from './foreign-words.ts';
import { type Recorder, startRecorder } from './recorder.ts';

describe('an upstream of the protocol of the caller', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway();

  async function worldOf(
    t: TestContext,
    words: ForeignWords,
    stream: boolean,
  ): Promise<World & { recorder: Recorder }> {
    const type = stream ? 'text/event-stream' : 'application/json';
    const recorder = await startRecorder(t, { type, body: stream ? words.stream : words.whole });
    const channels = [{ ...words.channel, base_url: `${recorder.address}${words.basePath}` }];
    return { ...(await makeWorld(gateway, t, { channels })), recorder };
  }

  function ask({ key, model }: World, words: ForeignWords, stream: boolean): Promise<Response> {
    return fetch(`${gateway.address}${words.path(model, stream)}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'any-version': '2023-06-01',
      },
      body: words.request(model, stream),
    });
  }

  for (const words of foreignWords)
    for (const stream of [false, true])
      test(`of ${words.name} gets the bytes of the request, and its ${stream ? 'stream' : 'answer'} goes back as it is`, async (t) => {
        const world = await worldOf(t, words, stream);
        const answer = await ask(world, words, stream);
        assert.equal(answer.status, 200);
        assert.equal(await answer.text(), stream ? words.stream : words.whole);
        const upstreamModel = `${world.model}.0`;
        assert.deepEqual(world.recorder.calls, [
          { path: words.path(upstreamModel, stream), body: words.request(upstreamModel, stream) },
        ]);
        assert.equal(answer.headers.get('x-tollgate-dropped'), null);
        const { usage, usage_source: source } = await requestOf(gateway, answer);
        assert.deepEqual([usage?.input_tokens, usage?.output_tokens, source], [3, 2, 'upstream']);
      });
});
