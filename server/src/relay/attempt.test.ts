import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { openaiSpeech, readSpeech } from '../protocols/openai-audio/index.ts';
import { openaiChat, readChat } from '../protocols/openai-chat/index.ts';
import type { RelayRequest } from '../protocols/protocol.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import { ChannelKey } from '../routing/channel-key.ts';
import { Channel } from '../routing/channel.ts';
import type { Candidate } from '../routing/route.ts';
import { facts } from '../routing/testing/offered.ts';
import { bodyOf, broken, events, json, type Script, ScriptedClient } from '../testing/scripted-client.ts';
import { attemptStream, attemptWhole, type AttemptDependencies } from './attempt.ts';
import { Cancellation } from '../providers/cancellation.ts';
import { OpenStream } from './open-stream.ts';

const clock = { now: () => 1_800_000_000_000 };
const chat = (more: object = {}): RelayRequest =>
  readChat(Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...more })));

const cancellations: Cancellation[] = [];
afterEach(() => {
  for (const cancellation of cancellations.splice(0)) cancellation.clear();
});

function candidate(more: Parameters<typeof facts>[1] = {}): Candidate {
  const key = new ChannelKey('k1', 'secret-key');
  return { channel: new Channel(facts('a', more), [key], clock), key };
}

function attemptOf(
  script: Script,
  more: Partial<AttemptDependencies> = {},
): AttemptDependencies & { client: ScriptedClient } {
  const client = new ScriptedClient(script);
  const cancellation = new Cancellation();
  cancellations.push(cancellation);
  return { cancellation, protocol: openaiChat, request: chat(), ...more, client };
}

test('a call goes to the path of the operation with the upstream model, the key and nothing of the client (spec 5)', async () => {
  const attempt = attemptOf(() => json({ ok: true }));
  const result = await attemptWhole(attempt, candidate());
  assert.deepEqual([result.status, result.body.toString()], [200, '{"ok":true}']);
  const [request] = attempt.client.requests;
  assert.ok(request !== undefined);
  assert.deepEqual(
    [request.method, request.origin + request.path, request.headers['authorization'], request.headers['accept']],
    ['POST', 'http://a.example/v1/chat/completions', 'Bearer secret-key', 'application/json'],
  );
  assert.deepEqual(bodyOf(request), { model: 'upstream-m', messages: [{ role: 'user', content: 'hi' }] });
});

test('fields that the channel drops are not sent (contract 3)', async () => {
  const attempt = attemptOf(() => json({}), { request: chat({ user: 'u', seed: 3 }) });
  const { options } = facts('a');
  await attemptWhole(attempt, candidate({ options: { ...options, dropFields: ['user'] } }));
  const [request] = attempt.client.requests;
  assert.ok(request !== undefined);
  assert.deepEqual(Object.keys(bodyOf(request)), ['model', 'messages', 'seed']);
});

test('a provider without the operation, and a model that is gone, send nothing', async () => {
  const none = attemptOf(() => json({}));
  await assert.rejects(attemptWhole(none, candidate({ provider: 'anthropic' })), { errorClass: 'malformed' });
  await assert.rejects(attemptWhole(none, candidate({ models: new Map() })), { errorClass: 'unreachable' });
  assert.equal(none.client.requests.length, 0);
});

test('what is thrown when the request is written is the failure of the caller, and nothing is sent', async () => {
  const onWritten = (): never => {
    throw new Error('strict');
  };
  const attempt = attemptOf(() => json({}), { onWritten });
  await assert.rejects(attemptWhole(attempt, candidate()), /strict/);
  assert.equal(attempt.client.requests.length, 0);
});

test('the status of a refusal decides its class, and its message is kept for the caller (contract 4)', async () => {
  const refused = attemptOf(() => json({ error: { message: 'no such thing', code: 'none' } }, 404));
  await assert.rejects(attemptWhole(refused, candidate()), {
    errorClass: 'refused',
    facts: { status: 404, upstreamMessage: 'no such thing', upstreamCode: 'none' },
  });
  const away = attemptOf(() => broken('ECONNREFUSED'));
  await assert.rejects(attemptWhole(away, candidate()), { errorClass: 'unreachable' });
});

test('a stream opens with its first event; another content type is malformed (contract 4)', async () => {
  const request = chat({ stream: true });
  const opened = await attemptStream(
    attemptOf(() => events({ choices: [{ index: 0, delta: { content: 'a' } }] }, '[DONE]'), { request }),
    candidate(),
  );
  assert.ok(opened instanceof OpenStream);
  const page = attemptOf(() => json({}), { request });
  await assert.rejects(attemptStream(page, candidate()), { errorClass: 'malformed' });
  const [asked] = page.client.requests;
  assert.equal(asked?.headers['accept'], 'text/event-stream');
});

test('media streams as it comes, and words instead of it are malformed', async () => {
  const request = readSpeech(Buffer.from('{"model":"m","input":"hi","voice":"alloy"}'));
  const sound = { headers: { 'content-type': 'audio/mpeg' }, body: ['abc'] };
  const asSpeech = { protocol: openaiSpeech, request };
  assert.ok(
    (await attemptStream(
      attemptOf(() => sound, asSpeech),
      candidate(),
    )) instanceof OpenStream,
  );
  await assert.rejects(
    attemptStream(
      attemptOf(() => json({ sorry: 1 }), asSpeech),
      candidate(),
    ),
    {
      errorClass: 'malformed',
    },
  );
});

test('a cancellation ends the call under way with its reason', async () => {
  const attempt = attemptOf(() => ({ status: 0, hangs: true }));
  const result = attemptWhole(attempt, candidate());
  assert.ok(attempt.cancellation.call);
  assert.equal(attempt.client.requests.length, 1);
  attempt.cancellation.cancel(new UpstreamError('aborted', 'the client left'));
  await assert.rejects(result, { errorClass: 'aborted' });
  assert.deepEqual(attempt.client.aborted, ['the client left']);
});
