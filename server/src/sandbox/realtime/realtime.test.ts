// The vendor's own realtime client is the judge of what the protocol is.
import assert from 'node:assert/strict';
import { after, test, type TestContext } from 'node:test';
import { pcm, RealtimeClient } from '../../testing/realtime-client.ts';
import { startTlsFront } from '../../testing/tls-front.ts';
import { startSandbox } from '../server.ts';

const sandbox = await startSandbox();
const front = await startTlsFront(Number(new URL(sandbox.address).port));
after(async () => {
  front.close();
  await sandbox.stop();
});

async function open(t: TestContext, { directive = '', apiKey = 'sandbox', headers = {}, isText = true } = {}) {
  const path = new URL(sandbox.baseUrl('openai', directive === '' ? undefined : directive)).pathname;
  const { certificate } = front;
  const options = { baseURL: front.address + path, apiKey, model: 'gpt-realtime', certificate, headers };
  const client = new RealtimeClient(options);
  t.after(() => client.close());
  if (isText) {
    await client.next('session.created');
    client.send({ type: 'session.update', session: { type: 'realtime', output_modalities: ['text'] } });
    await client.next('session.updated');
  }
  return client;
}

test('a text response: its events in order, and usage that adds up', async (t) => {
  const client = await open(t);
  client.say('Hello');
  const { response } = await client.next('response.done');
  await client.next('rate_limits.updated');
  const types = client.events.map(({ type }) => type).filter((type) => !type.endsWith('.delta'));
  assert.deepEqual(types.slice(2), [
    'conversation.item.added',
    'conversation.item.done',
    'response.created',
    'response.output_item.added',
    'conversation.item.added',
    'response.content_part.added',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'conversation.item.done',
    'response.done',
    'rate_limits.updated',
  ]);
  const deltas = client.events.flatMap((event) => (event.type === 'response.output_text.delta' ? event.delta : []));
  assert.match(deltas.join(''), /^You said: Hello/);
  assert.equal(response.usage?.output_tokens, deltas.length);
  assert.equal(response.usage?.output_token_details?.text_tokens, deltas.length);
  assert.equal(
    response.usage?.total_tokens,
    (response.usage?.input_tokens ?? 0) + (response.usage?.output_tokens ?? 0),
  );
});

test('audio in by server VAD, audio and transcript out, and the transcription of what was said', async (t) => {
  const client = await open(t, { isText: false });
  await client.next('session.created');
  const transcription = { model: 'gpt-4o-transcribe' };
  client.send({ type: 'session.update', session: { type: 'realtime', audio: { input: { transcription } } } });
  await client.next('session.updated');
  for (const loud of [true, true, false, false])
    client.send({ type: 'input_audio_buffer.append', audio: pcm(150, { loud }) });
  await client.next('input_audio_buffer.speech_started');
  await client.next('input_audio_buffer.speech_stopped');
  const { item_id: itemId } = await client.next('input_audio_buffer.committed');
  const heard = await client.next('conversation.item.input_audio_transcription.completed');
  assert.equal(heard.item_id, itemId);
  assert.deepEqual(heard.usage, {
    type: 'tokens',
    total_tokens: 6 + 8,
    input_tokens: 6,
    input_token_details: { text_tokens: 0, audio_tokens: 6 },
    output_tokens: 8,
  });
  const { response } = await client.next('response.done');
  assert.equal(response.usage?.input_token_details?.audio_tokens, 6);
  const sound = client.events.flatMap((event) => (event.type === 'response.output_audio.delta' ? event.delta : []));
  const bytes = sound.reduce((sum, delta) => sum + Buffer.from(delta, 'base64').length, 0);
  assert.equal(response.usage?.output_token_details?.audio_tokens, Math.ceil(bytes / 48 / 50));
  assert.equal(
    client.count('response.output_audio_transcript.delta'),
    response.usage?.output_token_details?.text_tokens,
  );
});

test('a function call and its result, a cancelled response, and one beyond its limit', async (t) => {
  const client = await open(t);
  const tool = { type: 'function' as const, name: 'get_weather', parameters: { type: 'object', properties: {} } };
  client.say('what is the weather', { tools: [tool], tool_choice: 'auto' });
  const call = await client.next('response.function_call_arguments.done');
  assert.equal(call.name, 'get_weather');
  const { response } = await client.next('response.done');
  const [item] = response.output ?? [];
  assert.ok(item?.type === 'function_call' && item.call_id === call.call_id);
  client.send({
    type: 'conversation.item.create',
    item: { type: 'function_call_output', call_id: call.call_id, output: 'sunny' },
  });
  client.send({ type: 'response.create' });
  assert.match((await client.next('response.output_text.done')).text, /The tool answered: sunny/);
  await client.next('response.done');

  client.say('[[pace 20]] [[long 500]]');
  await client.next('response.output_text.delta');
  client.send({ type: 'response.cancel' });
  const cancelled = await client.next('response.done');
  assert.equal(cancelled.response.status, 'cancelled');
  assert.ok((cancelled.response.usage?.output_tokens ?? 0) < 500);

  client.say('[[long 50]]', { max_output_tokens: 5 });
  const short = (await client.next('response.done')).response;
  assert.deepEqual([short.status, short.usage?.output_tokens], ['incomplete', 5]);
});

test('what is wrong is an error event that names the client’s event, and the session goes on', async (t) => {
  const client = await open(t);
  const refused = async (event: object): Promise<string | null | undefined> => {
    client.send({ event_id: 'mine', ...event } as Parameters<typeof client.send>[0]);
    const { error } = await client.next('error');
    assert.equal(error.event_id, 'mine');
    return error.code;
  };
  assert.equal(await refused({ type: 'session.update', session: {} }), 'missing_required_parameter');
  assert.equal(
    await refused({ type: 'session.update', session: { type: 'realtime', temperature: 1 } }),
    'unknown_parameter',
  );
  assert.equal(await refused({ type: 'input_audio_buffer.commit' }), 'input_audio_buffer_commit_empty');
  assert.equal(await refused({ type: 'response.cancel' }), 'response_cancel_not_active');
  assert.equal(await refused({ type: 'nothing.such' }), 'invalid_value');
  client.say('[[pace 10]] [[long 100]]');
  await client.next('response.created');
  assert.equal(await refused({ type: 'response.create' }), 'conversation_already_has_active_response');
  client.send({ type: 'response.create', response: { conversation: 'none', instructions: 'aside' } });
  await client.next('response.created');
});

test('directives close with a code, cut, say the end twice, and refuse the upgrade', async (t) => {
  const closing = await open(t);
  closing.say('[[close 4321]]');
  assert.equal((await closing.ended()).code, 4321);
  const cut = await open(t);
  cut.say('[[cut 3]] [[long 10]]');
  assert.equal((await cut.ended()).code, 1006);
  assert.equal(cut.count('response.output_text.delta'), 3);
  const twice = await open(t);
  twice.say('[[done-twice]] [[long 2]]');
  await twice.next('response.done');
  await twice.next('response.done');
  const failing = await open(t, { directive: 'fail-503', isText: false });
  assert.equal((await failing.refusal()).status, 503);
  const wrongKey = await open(t, { apiKey: 'bad-key', isText: false });
  assert.equal((await wrongKey.refusal()).status, 401);
  const beta = await open(t, { headers: { 'openai-beta': 'realtime=v1' }, isText: false });
  assert.equal((await beta.refusal()).status, 400);
});
