// Contract-2 7: ids of tool calls that the upstream would refuse, where client and upstream speak the same protocol. The
// sandbox refuses what the vendors refuse, and the vendors' own libraries ask.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { watchAnswers } from './support/watch-answers.ts';
import { makeWorld, suiteGateway, type World } from './support/world.ts';

const LONG = `call_${'x'.repeat(95)}`;
const IDS = [LONG, `${LONG.slice(0, -1)}y`];
const FITS = /^[a-zA-Z0-9_-]{1,64}$/;

/** Ids that the upstream was sent, of calls and of results. */
function idsSent(world: World, pattern: RegExp): string[] {
  const ids = world.calls().flatMap(({ rawBody }) => [...rawBody.matchAll(pattern)].map(([, id]) => id ?? ''));
  for (const id of ids) assert.match(id, FITS);
  assert.equal(ids.length, 2 * IDS.length);
  assert.equal(new Set(ids).size, IDS.length);
  return ids;
}

describe('call ids that do not fit, to an upstream of the same protocol', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway();
  watchAnswers(gateway);

  test('chat completions and responses: 100 characters (contract-2 7)', async (t) => {
    for (const stream of [false, true] as const) {
      const world = await makeWorld(gateway, t);
      const client = new OpenAI({ apiKey: world.key, baseURL: `${gateway.address}/v1`, maxRetries: 0 });
      const answer = await client.chat.completions.create({
        model: world.model,
        stream,
        messages: [
          { role: 'user', content: 'weather?' },
          {
            role: 'assistant',
            tool_calls: IDS.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
          },
          ...IDS.map((tool_call_id) => ({ role: 'tool' as const, tool_call_id, content: 'sunny' })),
        ],
      });
      if (Symbol.asyncIterator in answer) for await (const _ of answer);
      idsSent(world, /"(?:id|tool_call_id)":"([^"]+)"/g);
    }
    const world = await makeWorld(gateway, t);
    const client = new OpenAI({ apiKey: world.key, baseURL: `${gateway.address}/v1`, maxRetries: 0 });
    const { output_text } = await client.responses.create({
      model: world.model,
      input: [
        { role: 'user', content: 'weather?' },
        ...IDS.map((call_id) => ({ type: 'function_call' as const, call_id, name: 'f', arguments: '{}' })),
        ...IDS.map((call_id) => ({ type: 'function_call_output' as const, call_id, output: 'sunny' })),
      ],
    });
    assert.match(output_text, /^The tool answered: sunny/);
    idsSent(world, /"call_id":"([^"]+)"/g);
  });

  test('messages: other characters, also where tokens are counted (contract-2 7)', async (t) => {
    const channels = [{ provider: 'anthropic' as const, base_url: gateway.upstream.baseUrl('anthropic') }];
    const ids = ['functions.get_weather:0', 'functions.get_weather:1'];
    for (const counts of [false, true]) {
      const world = await makeWorld(gateway, t, { channels });
      const client = new Anthropic({ apiKey: world.key, baseURL: gateway.address, maxRetries: 0 });
      const request: Anthropic.MessageCountTokensParams = {
        model: world.model,
        tools: [{ name: 'f', input_schema: { type: 'object' } }],
        messages: [
          { role: 'user', content: 'weather?' },
          { role: 'assistant', content: ids.map((id) => ({ type: 'tool_use', id, name: 'f', input: {} })) },
          { role: 'user', content: ids.map((tool_use_id) => ({ type: 'tool_result', tool_use_id, content: 'sunny' })) },
        ],
      };
      if (counts) assert.ok((await client.messages.countTokens(request)).input_tokens > 0);
      else assert.equal((await client.messages.create({ ...request, max_tokens: 50 })).stop_reason, 'end_turn');
      idsSent(world, /"(?:id|tool_use_id)":"([^"]+)"/g);
    }
  });
});
