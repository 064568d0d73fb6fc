// A library that many applications are built on, pointed at chat completions, works on a model of another protocol.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateObject, generateText, Output, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { lastRequest } from '../support/media.ts';
import { watchAnswers } from '../support/watch-answers.ts';
import { makeWorld, suiteGateway, type World } from '../support/world.ts';

globalThis.AI_SDK_LOG_WARNINGS = false;
const schema = z.object({ city: z.string(), days: z.number().int() });

describe('the ai library on an upstream of messages', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway();
  watchAnswers(gateway);

  async function makeModel(t: TestContext): Promise<{ world: World; model: ReturnType<typeof modelOf> }> {
    const base_url = gateway.upstream.baseUrl('anthropic');
    const world = await makeWorld(gateway, t, { channels: [{ provider: 'anthropic', base_url }] });
    return { world, model: modelOf(world) };
  }

  function modelOf({ key, model }: World) {
    const provider = createOpenAICompatible({
      name: 'tollgate',
      apiKey: key,
      baseURL: `${gateway.address}/v1`,
      includeUsage: true,
      supportsStructuredOutputs: true,
    });
    return provider(model);
  }

  test('generates text, with the usage that is charged', async (t) => {
    const { world, model } = await makeModel(t);
    const { text, finishReason, usage } = await generateText({
      model,
      system: 'Be brief.',
      prompt: 'Hello',
      maxRetries: 0,
    });
    assert.match(text, /^You said: Hello\. .*I keep to your instructions: Be brief\.$/);
    assert.equal(finishReason, 'stop');
    const logged = await lastRequest(world);
    assert.deepEqual(
      [usage.inputTokens, usage.outputTokens],
      [logged.usage?.input_tokens, logged.usage?.output_tokens],
    );
  });

  test('streams text, and its usage at the end', async (t) => {
    const { world, model } = await makeModel(t);
    const result = streamText({ model, prompt: 'Hello stream', maxRetries: 0 });
    const pieces: string[] = [];
    for await (const piece of result.textStream) pieces.push(piece);
    assert.ok(pieces.length > 10, `${pieces.length} pieces`);
    assert.match(pieces.join(''), /^You said: Hello stream\./);
    assert.equal(await result.finishReason, 'stop');
    const { inputTokens, outputTokens } = await result.usage;
    const logged = await lastRequest(world);
    assert.deepEqual([inputTokens, outputTokens], [logged.usage?.input_tokens, logged.usage?.output_tokens]);
  });

  for (const stream of [false, true])
    test(`calls a tool and goes on with its result, ${stream ? 'streamed' : 'whole'}`, async (t) => {
      const { world, model } = await makeModel(t);
      const given: unknown[] = [];
      const weather = tool({
        description: 'The weather in a city',
        inputSchema: schema,
        execute: (input) => {
          given.push(input);
          return Promise.resolve('Sunny, 21 degrees');
        },
      });
      const options = {
        model,
        prompt: 'How is the weather?',
        tools: { get_weather: weather },
        stopWhen: stepCountIs(3),
        maxRetries: 0,
      };
      const text = stream ? await streamText(options).text : (await generateText(options)).text;
      assert.match(text, /^The tool answered: Sunny, 21 degrees/);
      assert.deepEqual(given, [{ city: 'sample city', days: 1 }]);
      assert.equal(world.calls().length, 2);
    });

  test('generates an object that fits its schema, asked for in the older way and in the newer', async (t) => {
    const { world, model } = await makeModel(t);
    const options = { model, prompt: 'Report on the climate.', maxRetries: 0 };
    const { object } = await generateObject({ ...options, schema });
    const { output } = await generateText({ ...options, output: Output.object({ schema }) });
    for (const made of [object, output]) assert.deepEqual(made, { city: 'sample city', days: 1 });
    const sent = world.calls().map(({ body }) => body as { output_config?: { format?: { type?: string } } });
    assert.deepEqual(
      sent.map(({ output_config: config }) => config?.format?.type),
      ['json_schema', 'json_schema'],
    );
  });
});
