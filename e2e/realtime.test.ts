// Realtime sessions through the gateway, by the vendor's own client (issue: GET /v1/realtime).
import assert from 'node:assert/strict';
import { setDefaultCACertificates, getCACertificates } from 'node:tls';
import { after, suite, test } from 'node:test';
import OpenAI from 'openai';
import { OpenAIRealtimeWebSocket } from 'openai/realtime/websocket';
import { pcm } from '../server/src/testing/realtime-client.ts';
import { makeCertificate } from '../server/src/testing/self-signed.ts';
import { startTlsFront } from '../server/src/testing/tls-front.ts';
import { NO_DATABASE_SERVER, startTestGateway } from './support/gateway.ts';
import { ledgerOf, nano } from './support/money.ts';
import { openClient, openText, REALTIME_PRICE, responsesOf, sentEvents } from './support/realtime.ts';
import { waitUntil } from './support/wait.ts';
import { makeChannel, makeToken, makeWorld, suiteGateway, uniqueName } from './support/world.ts';

const price = REALTIME_PRICE;
const model = { price };
// What browsers trust cannot be set for one connection.
const pair = makeCertificate('localhost');
setDefaultCACertificates([...getCACertificates('default'), pair.certificate]);

for (const postgres of [false, true])
  suite(`realtime on ${postgres ? 'PostgreSQL' : 'SQLite'}`, { skip: postgres && NO_DATABASE_SERVER }, async () => {
    const gateway = await suiteGateway({ postgres, settings: { TOLLGATE_REALTIME_SESSIONS: '3' } });
    const front = await startTlsFront(Number(new URL(gateway.address).port), pair);
    after(() => front.close());

    test('text: the client sees its own model name, and each response is charged once by its id (promises M-01, M-04)', async (t) => {
      const world = await makeWorld(gateway, t, { model });
      const client = openClient(t, front, world);
      const created = await client.next('session.created');
      assert.ok(created.session.type === 'realtime' && created.session.model === world.model);
      client.send({
        type: 'session.update',
        session: { type: 'realtime', model: world.model, output_modalities: ['text'] },
      });
      const updated = await client.next('session.updated');
      assert.ok(updated.session.type === 'realtime' && updated.session.model === world.model);
      client.say('Hello');
      const first = (await client.next('response.done')).response;
      client.say('[[done-twice]] [[cached 3]] [[long 5]]');
      const second = (await client.next('response.done')).response;
      await client.next('response.done');
      const lines = await responsesOf(world, 2);
      assert.equal(lines.length, 2);
      for (const [index, { usage }] of [first, second].entries()) {
        const line = lines[index];
        const input = usage?.input_tokens ?? 0;
        const cached = usage?.input_token_details?.cached_tokens ?? 0;
        const nanos = (input - cached) * 4_000 + cached * 400 + (usage?.output_tokens ?? 0) * 16_000;
        assert.equal(nano(line?.charge ?? '0'), BigInt(nanos));
        assert.equal(line?.usage_source, 'upstream');
        assert.equal(line?.model, world.model);
        assert.match(line?.arithmetic ?? '', new RegExp(`response ${[first, second][index]?.id}$`));
      }
      client.close();
      const entries = await ledgerOf(gateway, { account_id: world.account.id });
      assert.equal(entries.filter(({ kind }) => kind === 'settle').length, 2);
      assert.equal(world.calls()[0]?.query['model'], `${world.model}.0`);
    });

    test('audio by server VAD: audio tokens at their own rates, the transcript at the price of its model', async (t) => {
      const world = await makeWorld(gateway, t, { model, channels: [] });
      const writer = uniqueName('sandbox-writer');
      await gateway.operator('PUT', `/models/${writer}`, { price: { unit: 'audio_second', amount: '0.0001' } });
      await makeChannel(gateway, { [world.model]: `${world.model}.0`, [writer]: 'sandbox-whisper' });
      const client = openClient(t, front, world);
      await client.next('session.created');
      client.send({
        type: 'session.update',
        session: { type: 'realtime', audio: { input: { transcription: { model: writer } } } },
      });
      const { session } = await client.next('session.updated');
      assert.equal(session.audio?.input?.transcription?.model, writer);
      for (const loud of [true, true, false, false])
        client.send({ type: 'input_audio_buffer.append', audio: pcm(300, { loud }) });
      await client.next('conversation.item.input_audio_transcription.completed');
      const { response } = await client.next('response.done');
      const lines = await responsesOf(world, 2);
      const transcript = lines.find((line) => line.model === writer);
      assert.deepEqual([transcript?.usage?.['seconds'], transcript?.charge], [1, '0.0001']);
      const logged = lines.find((line) => line.model === world.model);
      const { usage } = response;
      const audio = usage?.input_token_details?.audio_tokens ?? 0;
      const text = (usage?.input_tokens ?? 0) - audio;
      const out = usage?.output_token_details;
      const nanos =
        text * 4_000 + audio * 32_000 + (out?.text_tokens ?? 0) * 16_000 + (out?.audio_tokens ?? 0) * 64_000;
      assert.equal(audio, 9);
      assert.equal(nano(logged?.charge ?? '0'), BigInt(nanos));
    });

    test('a function call, and a cancelled response that is charged as far as it came', async (t) => {
      const world = await makeWorld(gateway, t, { model });
      const client = await openText(t, front, world);
      const tool = { type: 'function' as const, name: 'get_weather', parameters: { type: 'object', properties: {} } };
      client.say('what is the weather', { tools: [tool], tool_choice: 'auto' });
      const call = await client.next('response.function_call_arguments.done');
      await client.next('response.done');
      const item = { type: 'function_call_output' as const, call_id: call.call_id, output: 'sunny' };
      client.send({ type: 'conversation.item.create', item });
      client.send({ type: 'response.create' });
      assert.match((await client.next('response.output_text.done')).text, /sunny/);
      await client.next('response.done');
      client.say('[[pace 20]] [[long 400]]');
      await client.next('response.output_text.delta');
      client.send({ type: 'response.cancel' });
      const { response } = await client.next('response.done');
      assert.equal(response.status, 'cancelled');
      const line = (await responsesOf(world, 3)).at(-1);
      assert.equal(line?.usage?.['output_tokens'], response.usage?.output_tokens);
    });

    test('another model is refused with an error event, and nothing of it reaches the upstream (contract-2 7)', async (t) => {
      const world = await makeWorld(gateway, t, { model });
      const client = await openText(t, front, world);
      const before = sentEvents(world).length;
      for (const session of [
        { type: 'realtime' as const, model: 'gpt-4o' },
        { type: 'realtime' as const, Model: 'gpt-4o' },
        { type: 'realtime' as const, audio: { input: { transcription: { model: 'gpt-4o-transcribe' } } } },
        { type: 'realtime' as const, prompt: { id: 'pmpt_1' } },
      ]) {
        client.send({ type: 'session.update', event_id: 'mine', session });
        const { error } = await client.next('error');
        assert.equal(error.event_id, 'mine');
        assert.match(error.param ?? '', /^session\./);
      }
      client.socket.socket.send('{"type":"response.create","type":"session.update"}');
      assert.equal((await client.next('error')).error.code, 'invalid_request');
      assert.equal(sentEvents(world).length, before);
      client.say('still here');
      await client.next('response.done');
    });

    test('token, origin, model, money and handshake are judged before the upgrade, as for every call (spec 5)', async (t) => {
      const world = await makeWorld(gateway, t, { model });
      const { key } = await makeToken(gateway, { account_id: world.account.id, origins: ['https://good.example'] });
      const scoped = await makeToken(gateway, { account_id: world.account.id, models: ['other'] });
      const poor = await makeWorld(gateway, t, { model, credit: '0.00001' });
      const cases = [
        [world, { apiKey: 'sk-wrong' }, 401, 'invalid_api_key'],
        [world, { apiKey: key, headers: { origin: 'https://evil.example' } }, 403, 'origin_not_allowed'],
        [world, { apiKey: scoped.key }, 403, 'model_not_allowed'],
        [world, { model: 'no-such-model' }, 404, 'model_not_found'],
        [poor, {}, 402, 'insufficient_quota'],
      ] as const;
      for (const [of, options, status, code] of cases) {
        const refused = await openClient(t, front, of, options).refusal();
        const { error } = JSON.parse(refused.body) as { error: { code: string } };
        assert.deepEqual([refused.status, error.code], [status, code]);
        assert.match(String(refused.headers['x-request-id']), /^req_/);
      }
      assert.equal(world.calls().length, 0);
      const good = openClient(t, front, world, { apiKey: key, headers: { origin: 'https://good.example' } });
      await good.next('session.created');
      good.close();
      const plain = await fetch(`${gateway.address}/v1/realtime?model=${world.model}`, {
        headers: { authorization: `Bearer ${world.key}` },
      });
      assert.equal(plain.status, 426);
    });

    test('browsers carry the token among the subprotocols, and are answered with `realtime`', async (t) => {
      const world = await makeWorld(gateway, t, { model });
      const client = new OpenAI({ apiKey: world.key, baseURL: `${front.address}/v1`, organization: 'org_x' });
      const socket = new OpenAIRealtimeWebSocket({ model: world.model, dangerouslyAllowBrowser: true }, client);
      t.after(() => socket.close());
      await new Promise((resolve, reject) => {
        socket.on('session.created', resolve);
        socket.on('error', reject);
      });
      assert.equal(socket.socket.protocol, 'realtime');
      assert.equal(world.calls()[0]?.headers['sec-websocket-protocol'], undefined);
      socket.close();
    });

    test('a second response without money for it is refused with insufficient_quota, and the session goes on', async (t) => {
      const world = await makeWorld(gateway, t, { model: { ...model, max_output_tokens: 100 }, credit: '0.011' });
      const client = await openText(t, front, world);
      client.say('[[long 90]]');
      await client.next('response.done');
      let refused;
      for (let tries = 0; tries < 20 && refused === undefined; tries++) {
        client.say('[[long 90]]', { max_output_tokens: 100 });
        const event = await client.next('error', 'response.done');
        if (event.type === 'error') refused = event.error;
      }
      assert.deepEqual([refused?.type, refused?.code], ['insufficient_quota', 'insufficient_quota']);
      const sent = sentEvents(world).filter((type) => type === 'response.create');
      assert.equal(sent.length, client.count('response.created'));
      await gateway.operator('POST', `/accounts/${world.account.id}/credits`, { amount: '1', note: 'more' });
      client.say('again');
      await client.next('response.done');
      client.close();
    });

    test('a client that leaves in a response pays for the prompt and what was made; the upstream is left at once (promise M-07)', async (t) => {
      const world = await makeWorld(gateway, t, { model });
      const client = await openText(t, front, world);
      client.say('[[pace 30]] [[long 1000]]');
      for (let count = 0; count < 5; count++) await client.next('response.output_text.delta');
      client.close();
      const [line] = await responsesOf(world, 1);
      assert.deepEqual([line?.status, line?.usage_source], [499, 'counted']);
      const output = Number(line?.usage?.['output_tokens']);
      assert.ok(output >= 5 && output < 500, String(output));
      assert.ok(Number(line?.usage?.['input_tokens']) > 0);
      await waitUntil(() => world.calls()[0]?.finished === true, 'the upstream was not left');
    });

    test('an upstream that breaks off: an error event, close 1011, and only what came is charged (promise M-08)', async (t) => {
      const world = await makeWorld(gateway, t, { model });
      const client = await openText(t, front, world);
      client.say('[[cut 4]] [[long 100]]');
      assert.equal((await client.next('error')).error.code, 'upstream_error');
      assert.deepEqual(await client.ended(), { code: 1011, reason: 'upstream_error' });
      const silent = await openText(t, front, world);
      silent.say('[[cut 0]] [[long 100]]');
      await silent.ended();
      const [some, none] = await responsesOf(world, 2);
      assert.deepEqual([some?.usage?.['output_tokens'], some?.error_code], [4, 'upstream_error']);
      assert.deepEqual([none?.charge, none?.error_code], ['0', 'upstream_error']);
    });

    test('close codes go both ways', async (t) => {
      const world = await makeWorld(gateway, t, { model });
      const down = await openText(t, front, world);
      down.say('[[close 4321]]');
      assert.deepEqual(await down.ended(), { code: 4321, reason: 'the sandbox was asked to close' });
      const up = await openText(t, front, world);
      up.socket.close({ code: 3456, reason: 'enough' });
      await up.ended();
      const seen = () => (world.calls()[1]?.body as { closed: unknown } | undefined)?.closed;
      await waitUntil(() => seen() !== null, 'the upstream saw no end');
      assert.deepEqual(seen(), { code: 3456, reason: 'enough' });
    });

    test('the next channel is asked as long as none has opened, and usage that cannot be is bounded (promise M-10)', async (t) => {
      const channels = [{ behave: 'fail-503', priority: 2 }, { behave: 'usage-absurd' }];
      const world = await makeWorld(gateway, t, { model, channels });
      const client = await openText(t, front, world);
      client.say('Hello');
      await client.next('response.done');
      const [line] = await responsesOf(world, 1);
      assert.equal(line?.usage_source, 'bounded');
      assert.deepEqual(
        line?.attempts.map(({ channel_id: id }) => id),
        [world.channels[1]?.id],
      );
    });

    test('a token has so many sessions at once, then 429; one that ends makes room', async (t) => {
      const world = await makeWorld(gateway, t, { model });
      const open = [];
      for (let count = 0; count < 3; count++) {
        const client = openClient(t, front, world);
        await client.next('session.created');
        open.push(client);
      }
      const refused = await openClient(t, front, world).refusal();
      assert.equal(refused.status, 429);
      assert.match(refused.body, /has 3 realtime sessions open/);
      open[0]?.close();
      await waitUntil(async () => {
        const client = openClient(t, front, world);
        const isOpen = await client.next('session.created').then(
          () => true,
          () => false,
        );
        client.close();
        return isOpen;
      }, 'there is no room');
      for (const client of open) client.close();
    });

    test('a token that is disabled has no further response', async (t) => {
      const world = await makeWorld(gateway, t, { model });
      const client = await openText(t, front, world);
      await gateway.operator('PATCH', `/tokens/${world.token.id}`, { status: 'disabled' });
      client.say('Hello');
      assert.equal((await client.next('error')).error.code, 'token_disabled');
      assert.equal((await client.ended()).code, 1008);
    });

    test('audio that could begin a response nobody can pay for is refused, and the session is closed with 1008', async (t) => {
      const world = await makeWorld(gateway, t, { model: { ...model, max_output_tokens: 100 }, credit: '0.02' });
      const client = openClient(t, front, world);
      await client.next('session.created');
      client.send({ type: 'input_audio_buffer.append', audio: pcm(200, { loud: true }) });
      assert.equal((await client.next('error')).error.code, 'insufficient_quota');
      assert.deepEqual(await client.ended(), { code: 1008, reason: 'insufficient_quota' });
      assert.deepEqual(sentEvents(world), []);
    });

    test('each response counts in the rate policy of the token, also one that a pause begins (contract 4)', async (t) => {
      const world = await makeWorld(gateway, t, { model, token: { rate: { rpm: 3, tpm: null, concurrency: 1 } } });
      const client = await openText(t, front, world); // one
      client.say('Hello'); // two
      await client.next('response.done');
      for (const loud of [true, false, false])
        client.send({ type: 'input_audio_buffer.append', audio: pcm(200, { loud }) });
      await client.next('response.done'); // three
      client.say('too many');
      const { error } = await client.next('error');
      assert.deepEqual([error.type, error.code], ['rate_limit_error', 'rate_limit_exceeded']);
      for (const loud of [true, false, false])
        client.send({ type: 'input_audio_buffer.append', audio: pcm(200, { loud }) });
      assert.equal((await client.next('error')).error.code, 'rate_limit_exceeded');
      const { response } = await client.next('response.done');
      assert.ok(response.status === 'cancelled' || response.status === 'completed');
      client.close();
    });

    test('a response that the upstream refuses costs nothing, and its error names the event as the client did', async (t) => {
      const world = await makeWorld(gateway, t, { model });
      const client = await openText(t, front, world);
      client.say('[[pace 20]] [[long 60]]');
      await client.next('response.created');
      client.send({ type: 'response.create' });
      client.send({ type: 'response.create', event_id: 'mine' });
      for (const id of [null, 'mine']) {
        const { error } = await client.next('error');
        assert.deepEqual([error.code, error.event_id], ['conversation_already_has_active_response', id]);
      }
      await client.next('response.done');
      client.send({ type: 'response.create' });
      await client.next('response.done');
      client.close();
      assert.equal((await responsesOf(world, 2)).length, 2);
    });

    test('neither key nor address of the upstream is seen, and too large an event closes with 1009 (promise A-03)', async (t) => {
      const world = await makeWorld(gateway, t, { model });
      const client = await openText(t, front, world);
      client.say('my key is upstream-key-0001');
      await client.next('response.done');
      client.send({ type: 'conversation.item.delete', item_id: 'x' });
      await client.next('error');
      const seen = JSON.stringify(client.events);
      assert.ok(!seen.includes('upstream-key-0001') && !seen.includes(new URL(gateway.upstream.address).host));
      client.send({ type: 'input_audio_buffer.append', audio: 'A'.repeat(17 * 1024 * 1024) });
      assert.equal((await client.ended()).code, 1009);
      const log = gateway.logLines.join('');
      assert.ok(!log.includes('upstream-key-0001') && !log.includes(world.key));
    });

    test('Azure: another address, its own header, the same session', async (t) => {
      const channel = { provider: 'azure' as const, base_url: gateway.upstream.baseUrl('azure') };
      const world = await makeWorld(gateway, t, { model, channels: [channel] });
      const client = await openText(t, front, world);
      client.say('Hello');
      await client.next('response.done');
      const [call] = world.calls();
      assert.equal(call?.path, '/azure/openai/v1/realtime');
      assert.equal(call?.headers['api-key'], '***');
    });
  });

test('a session in which nothing happens is closed with 1008 (TOLLGATE_REALTIME_IDLE_SECONDS)', async (t) => {
  const gateway = await startTestGateway({ settings: { TOLLGATE_REALTIME_IDLE_SECONDS: '1' } });
  t.after(() => gateway.stop());
  const front = await startTlsFront(Number(new URL(gateway.address).port), pair);
  t.after(() => front.close());
  const unchecked = { after: () => {} } as unknown as typeof t; // the gateway is gone before it could be asked
  const client = await openText(t, front, await makeWorld(gateway, unchecked, { model }));
  assert.deepEqual(await client.ended(), { code: 1008, reason: 'No event came for too long.' });
});
