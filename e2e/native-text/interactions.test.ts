// Interactions with the vendor's own library: passed on to gemini channels, charged by their usage, reached by the account
// that made them alone (issue "every client works unchanged", point 8).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GoogleGenAI } from '@google/genai';
import { moneyOf } from '../support/endpoint-checks.ts';
import { nano, requestsOf } from '../support/money.ts';
import { waitUntil } from '../support/wait.ts';
import { type ChannelOptions, makeToken, makeWorld, suiteGateway, type World } from '../support/world.ts';

const ENDPOINT = '/v1beta/interactions';
const weather = {
  type: 'function' as const,
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
};

interface GoogleUsage {
  total_input_tokens?: number | undefined;
  total_output_tokens?: number | undefined;
}

function client({ gateway, key }: Pick<World, 'gateway' | 'key'>): GoogleGenAI['interactions'] {
  return new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gateway.address } }).interactions;
}

function ask(world: Pick<World, 'gateway' | 'key'>, method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${world.gateway.address}${ENDPOINT}${path}`, {
    method,
    headers: { 'x-goog-api-key': world.key, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

async function refused(response: Response, status: number, message: RegExp): Promise<void> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  const { error } = JSON.parse(text) as { error: { code: number; message: string; status: string } };
  assert.deepEqual(Object.keys(error).sort(), ['code', 'message', 'status']);
  assert.match(error.message, message);
}

describe('interactions', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway();
  const gemini = (behave?: string): ChannelOptions => ({
    provider: 'gemini',
    base_url: gateway.upstream.baseUrl('gemini', behave),
  });
  const dueOf = (usage: GoogleUsage | undefined): bigint =>
    BigInt(usage?.total_input_tokens ?? -1) * 2_500n + BigInt(usage?.total_output_tokens ?? -1) * 10_000n;

  test('are answered whole and streamed, gone on from, and charged by their usage', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [gemini(), gemini()] });
    const sdk = client(world);
    const made = await sdk.create({ model: world.model, input: 'Hello' });
    assert.equal(made.status, 'completed');
    assert.match(made.output_text ?? '', /^You said: Hello/);
    const next = await sdk.create({ model: world.model, input: 'And now?', previous_interaction_id: made.id });
    assert.ok((next.usage?.total_input_tokens ?? 0) > (made.usage?.total_input_tokens ?? 0), 'the first counts too');
    let text = '';
    let usage;
    for await (const event of await sdk.create({ model: world.model, input: 'Hello', stream: true })) {
      if (event.event_type === 'step.delta' && event.delta.type === 'text') text += event.delta.text;
      if (event.event_type === 'interaction.completed') ({ usage } = event.interaction);
    }
    assert.equal(text, made.output_text);
    const logged = await requestsOf(gateway, { account_id: world.account.id });
    assert.deepEqual(
      logged.map(({ endpoint, charge }) => [endpoint, nano(charge)]),
      [made.usage, next.usage, usage].map((one) => [ENDPOINT, dueOf(one)]),
    );
  });

  test('call tools and think: thoughts are output', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [gemini()] });
    const called = await client(world).create({ model: world.model, input: 'get_weather now', tools: [weather] });
    assert.equal(called.status, 'requires_action');
    const call = called.steps?.find((step) => step.type === 'function_call');
    assert.ok(call?.type === 'function_call');
    assert.deepEqual(call.arguments, { city: 'sample city' });
    const answered = await client(world).create({
      model: world.model,
      previous_interaction_id: called.id,
      input: [{ type: 'function_result', call_id: call.id, name: call.name, result: 'rain' }],
    });
    assert.match(answered.output_text ?? '', /rain/);
    const thought = await client(world).create({
      model: world.model,
      input: 'Hello',
      generation_config: { thinking_level: 'low' },
    });
    const {
      total_input_tokens: input = 0,
      total_output_tokens: output = 0,
      total_thought_tokens: thoughts = 0,
    } = thought.usage ?? {};
    assert.ok(thoughts > 0);
    const [last] = (await requestsOf(gateway, { account_id: world.account.id })).slice(-1);
    assert.equal(nano(last?.charge ?? '0'), BigInt(input) * 2_500n + BigInt(output + thoughts) * 10_000n);
  });

  test('are read, deleted and cancelled by their id, by their own account alone', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [gemini()] });
    const stranger = await makeWorld(gateway, t, { channels: [gemini()] });
    const made = await client(world).create({ model: world.model, input: 'Remember the milk' });
    const paid = await moneyOf(world);
    const read = await client(world).get(made.id);
    assert.deepEqual([read.id, read.output_text], [made.id, made.output_text]);
    for (const [method, path] of [
      ['GET', `/${made.id}`],
      ['DELETE', `/${made.id}`],
      ['POST', `/${made.id}/cancel`],
    ] as const)
      await refused(await ask(stranger, method, path), 404, /does not exist/);
    const going = { model: stranger.model, input: 'x', previous_interaction_id: made.id };
    await refused(await ask(stranger, 'POST', '', going), 404, /does not exist/);
    await refused(await ask(world, 'GET', `/${made.id}?stream=true`), 400, /'stream' is not served here/);
    await client(world).delete(made.id);
    await refused(await ask(world, 'GET', `/${made.id}`), 404, /does not exist/);
    assert.deepEqual(await moneyOf(world), paid, 'none of this costs anything');
    assert.deepEqual(await moneyOf(stranger), {});
  });

  test('in the background are settled once, by who first sees their end', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [gemini()] });
    const begun = await client(world).create({ model: world.model, input: 'Take your time', background: true });
    assert.equal(begun.status, 'in_progress');
    let done = begun;
    await waitUntil(async () => {
      done = await client(world).get(begun.id);
      return done.status === 'completed';
    }, 'it does not end');
    assert.equal((await moneyOf(world))['settle'], dueOf(done.usage));
    const stopped = await client(world).create({ model: world.model, input: 'Never mind', background: true });
    const { status, usage } = await client(world).cancel(stopped.id);
    await client(world).create({ model: world.model, input: 'Nobody asks', background: true });
    // A line is logged when its charge is known; the gateway asks about the last one by itself.
    const lines = async (): Promise<bigint[]> =>
      (await requestsOf(gateway, { account_id: world.account.id }))
        .filter(({ endpoint }) => endpoint === ENDPOINT)
        .map(({ charge }) => nano(charge));
    await waitUntil(async () => (await lines()).length === 3, 'the gateway does not ask by itself', 60_000);
    const [first, second, third = 0n] = await lines();
    assert.deepEqual([first, second], [dueOf(done.usage), status === 'cancelled' ? 0n : dueOf(usage)]);
    assert.ok(third > 0n);
  });

  test('are served under every version that clients of the vendor ask for', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [gemini()] });
    for (const version of ['v1beta', 'v1alpha', 'v1']) {
      const httpOptions = { baseUrl: gateway.address, apiVersion: version };
      const sdk = new GoogleGenAI({ apiKey: world.key, httpOptions, apiVersion: version }).interactions;
      const made = await sdk.create({ model: world.model, input: 'Hello' });
      assert.equal((await sdk.get(made.id)).status, 'completed', version);
      const path = `${gateway.address}/${version}/interactions/nobody`;
      await refused(await fetch(path, { headers: { 'x-goog-api-key': world.key } }), 404, /does not exist/);
    }
  });

  test('of other providers are 404, and wrong requests are refused by field, without a hold', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [gemini()] });
    const openai = await makeWorld(gateway, t);
    await refused(
      await ask(openai, 'POST', '', { model: openai.model, input: 'x' }),
      404,
      /has no interactions.*generateContent/,
    );
    await refused(await ask(world, 'POST', '', { input: 'x' }), 400, /'model' is required/);
    await refused(await ask(world, 'POST', '', { model: world.model }), 400, /'input' is required/);
    await refused(await ask(world, 'POST', '', { model: world.model, input: 7 }), 400, /'input' must be/);
    await refused(await ask(world, 'POST', '', { model: 'nobody-has-this', input: 'x' }), 404, /nobody-has-this/);
    const kept = { type: 'image', uri: 'https://generativelanguage.googleapis.com/v1beta/files/abc' };
    await refused(await ask(world, 'POST', '', { model: world.model, input: [kept] }), 404, /input\[0\]\.uri/);
    await refused(
      await ask(world, 'POST', '', { model: world.model, input: 'x', environment: 'env_1' }),
      404,
      /environment/,
    );
    const scoped = await makeToken(gateway, { account_id: world.account.id, models: ['something-else'] });
    const outside = await ask({ gateway, key: scoped.key }, 'POST', '', { model: world.model, input: 'x' });
    await refused(outside, 403, /may not use/);
    assert.deepEqual([await moneyOf(world), await moneyOf(openai)], [{}, {}]);
  });

  test('an agent is asked for by its upstream name, and a broken stream ends with an error event', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [gemini()] });
    const made = await ask(world, 'POST', '', { agent: world.model, input: 'Research' });
    assert.equal(made.status, 200, await made.text());
    const sent = gateway.upstream.records.findLast(({ path }) => path.endsWith('/interactions'))?.body;
    assert.ok(
      JSON.stringify(gateway.upstream.records.map(({ body }) => body)).includes(`"agent":"${world.model}.0"`),
      JSON.stringify(sent),
    );
    const broken = await makeWorld(gateway, t, { channels: [gemini('error-event-2')] });
    const response = await ask(broken, 'POST', '', { model: broken.model, input: 'Hello', stream: true });
    assert.match(await response.text(), /event: error\ndata: \{"event_type":"error","error":\{"code":/);
  });
});
