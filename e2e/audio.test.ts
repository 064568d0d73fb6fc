// Speech, transcription and translation through the gateway: with the vendor's own client, with failing channels, with wrong
// requests; and what each costs (spec 2.9, 4.3).
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny';
import OpenAI from 'openai';
import { postChat, readError } from './support/chat.ts';
import { assertCharged, moneyOf } from './support/endpoint-checks.ts';
import { assertSpoolEmpties, fileOf, lastRequest, postForm, sdkOf, wave } from './support/media.ts';
import { nano, requestOf } from './support/money.ts';
import { sendJson, startStub } from './support/stub.ts';
import { waitUntil } from './support/wait.ts';
import { watchAnswers } from './support/watch-answers.ts';
import { makeChannel, makeWorld, suiteGateway, uniqueName, type World } from './support/world.ts';

const SETTINGS = { TOLLGATE_SECRET: 'a-secret-of-the-tests' };
const SPEECH = '/v1/audio/speech';
const perCharacter = { model: { price: { unit: 'characters', amount: '15' } } } as const;
const perToken = { model: { price: { unit: 'tokens', input: '1', output: '2' } } } as const;
const perSecond = { model: { price: { unit: 'audio_second', amount: '0.0001' } } } as const;

async function playingSeconds(bytes: Buffer): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-audio-'));
  try {
    const path = join(folder, 'speech');
    await writeFile(path, bytes);
    return await new Input({ source: new FilePathSource(path), formats: ALL_FORMATS }).computeDuration();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function post(world: World, body: Record<string, unknown>, signal?: AbortSignal): Promise<Response> {
  const text = JSON.stringify({ model: world.model, input: 'Hello', voice: 'alloy', ...body });
  return postChat(world, text, { path: SPEECH, ...(signal !== undefined && { signal }) });
}

describe('speech', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway({ settings: SETTINGS });
  watchAnswers(gateway);

  test('is a file that plays, of the type the upstream names, charged by character', async (t) => {
    const world = await makeWorld(gateway, t, perCharacter);
    const input = 'One two three, h\u00e9llo \u{1f600} four five six seven.';
    const characters = input.length - 1; // the face takes two units of a string
    for (const [response_format, type] of [
      ['wav', 'audio/wav'],
      ['mp3', 'audio/mpeg'],
    ] as const) {
      const response = await sdkOf(world).audio.speech.create({
        model: world.model,
        voice: 'alloy',
        input,
        response_format,
      });
      assert.equal(response.headers.get('content-type'), type);
      assert.ok((await playingSeconds(Buffer.from(await response.arrayBuffer()))) > 0.5);
      const { arithmetic, charge } = await lastRequest(world);
      assert.equal(arithmetic, `${characters} characters x 15 / 1000000`);
      assert.equal(nano(charge), BigInt(characters) * 15_000n);
    }
  });

  test('comes as events when asked for, and its tokens are charged as audio output', async (t) => {
    const price = { unit: 'tokens', input: '1', output: '2', audio_output: '12' } as const;
    const world = await makeWorld(gateway, t, { model: { price } });
    const response = await post(world, { input: 'a b c d e f g h', stream_format: 'sse', response_format: 'wav' });
    assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
    const events = (await response.text()).split('\n\n').filter((block) => block !== '');
    const last = JSON.parse(String(events.at(-1)).replace('data: ', '')) as {
      type: string;
      usage: { input_tokens: number; output_tokens: number };
    };
    assert.equal(last.type, 'speech.audio.done');
    assert.ok(events.length > 1);
    const { charge, usage_source } = await lastRequest(world);
    const due = BigInt(last.usage.input_tokens) * 1_000n + BigInt(last.usage.output_tokens) * 12_000n;
    assert.deepEqual([nano(charge), usage_source], [due, 'upstream']);
  });

  test('moves to the next channel when one fails', async (t) => {
    for (const behave of ['fail-500', 'reset', 'empty', 'unauthorised']) {
      const world = await makeWorld(gateway, t, { ...perCharacter, channels: [{ behave, priority: 9 }, {}] });
      for (const stream_format of ['audio', 'sse']) {
        const response = await post(world, { stream_format });
        assert.equal(response.status, 200, behave);
        assert.ok((await response.arrayBuffer()).byteLength > 0);
        assert.equal((await lastRequest(world)).charge, '0.000075');
      }
    }
    const world = await makeWorld(gateway, t, {
      ...perCharacter,
      channels: [{ behave: 'error-event', priority: 9 }, {}],
    });
    assert.match(await (await post(world, { stream_format: 'sse' })).text(), /speech\.audio\.done/);
    assert.equal(world.calls(1).length, 1);
  });

  test('comes whole from an upstream that does not stream, charged as a whole answer and held against nobody', async (t) => {
    const sound = Buffer.alloc(8_001, 7);
    const base_url = await startStub(t, (_, response) =>
      response.writeHead(200, { 'content-type': 'Audio/MPEG' }).end(sound),
    );
    for (const [price, charge, source] of [
      [perCharacter, (): bigint => 75_000n, 'counted'],
      // 800 bytes of sound to a token
      [perToken, (input: number): bigint => BigInt(input) * 1_000n + 11n * 2_000n, 'estimated'],
    ] as const) {
      const world = await makeWorld(gateway, t, { ...price, channels: [{ base_url, priority: 9 }, {}] });
      const response = await post(world, { stream_format: 'sse' });
      assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'Audio/MPEG']);
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), sound);
      const { usage, usage_source, attempts } = await requestOf(gateway, response);
      await assertCharged(world, response, charge(Number(usage?.['input_tokens'])));
      assert.equal(usage_source, source);
      const outcomes = attempts.map(({ channel_id, status, error }) => [channel_id, status, error]);
      assert.deepEqual(outcomes, [[world.channels[0]?.id, 200, null]]);
    }
  });

  test('is no words, though the upstream call them a success', async (t) => {
    const base_url = await startStub(t, (_, response) => sendJson(response, 200, { detail: 'try later' }));
    const world = await makeWorld(gateway, t, { ...perCharacter, channels: [{ base_url, priority: 9 }, {}] });
    const response = await post(world, { stream_format: 'sse' });
    assert.match(await response.text(), /speech\.audio\.done/);
    const { attempts } = await assertCharged(world, response, 75_000n);
    const errors = attempts.map(({ error }) => error);
    assert.deepEqual(errors, ['malformed', null]);
  });

  test('that breaks in the middle closes the connection, and costs nothing where the text is what is charged', async (t) => {
    const assertFree = async (world: World): Promise<void> => {
      const { charge, error_code } = await lastRequest(world);
      assert.deepEqual([charge, error_code], ['0', 'upstream_error']);
      const { hold, settle, release } = await moneyOf(world);
      assert.deepEqual([settle, release], [undefined, hold]);
    };
    const world = await makeWorld(gateway, t, { ...perCharacter, channels: [{ behave: 'cut' }] });
    const response = await post(world, { input: 'word '.repeat(200), response_format: 'wav' });
    assert.equal(response.status, 200);
    await assert.rejects(response.arrayBuffer());
    await assertFree(world);
    const streamed = await makeWorld(gateway, t, { ...perCharacter, channels: [{ behave: 'cut-1' }] });
    const events = await post(streamed, { input: 'word '.repeat(200), stream_format: 'sse', response_format: 'wav' });
    assert.match(await events.text(), /event: error\ndata: \{"type":"error","error":\{.*"code":"upstream_error"/);
    await assertFree(streamed);
  });

  test('that breaks in the middle costs what was made where tokens are charged', async (t) => {
    const base_url = await startStub(t, (_, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': 20_000 });
      response.write(Buffer.alloc(8_001, 7), () => response.destroy());
    });
    for (const [channel, body, output] of [
      [{ base_url }, {}, 11],
      [{ behave: 'cut-2' }, { input: 'word '.repeat(200), stream_format: 'sse', response_format: 'wav' }, 41], // two of 16 KiB
    ] as const) {
      const world = await makeWorld(gateway, t, { ...perToken, channels: [channel] });
      const response = await post(world, body);
      await response.arrayBuffer().catch(() => undefined);
      await waitUntil(async () => (await moneyOf(world))['settle'] !== undefined, 'it was not settled');
      const { usage, usage_source, error_code } = await requestOf(gateway, response);
      assert.deepEqual([usage?.['output_tokens'], usage_source, error_code], [output, 'counted', 'upstream_error']);
      await assertCharged(world, response, BigInt(Number(usage?.['input_tokens'])) * 1_000n + BigInt(output) * 2_000n);
    }
  });

  test('names what is missing or wrong', async (t) => {
    const world = await makeWorld(gateway, t, perCharacter);
    for (const [body, param] of [
      [{ model: undefined }, 'model'],
      [{ input: undefined }, 'input'],
      [{ input: '' }, 'input'],
      [{ input: 5 }, 'input'],
      [{ voice: 7 }, 'voice'],
    ] as const) {
      const error = await readError(await post(world, body), 400, 'invalid_request');
      assert.equal(error.param, param);
    }
    const form = { path: SPEECH, headers: { 'content-type': 'multipart/form-data; boundary=a' } };
    await readError(await postChat(world, '', form), 415, 'unsupported_media_type');
    assert.equal(world.calls().length, 0);
  });

  test('ends at the upstream when the client leaves', async (t) => {
    const world = await makeWorld(gateway, t, { ...perCharacter, channels: [{ behave: 'stall' }] });
    const leaving = new AbortController();
    const response = await post(world, { input: 'word '.repeat(200) }, leaving.signal);
    assert.equal(response.status, 200);
    leaving.abort();
    await waitUntil(() => world.calls()[0]?.aborted === true, 'the upstream was not cancelled');
    await waitUntil(async () => (await lastRequest(world)).error_code === 'client_gone', 'it was not logged');
  });
});

describe('transcription', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway({ settings: SETTINGS });
  const file = fileOf(wave(2.5), 'speech.wav', 'audio/wav');

  test('gives text in every format, charged by the length that the upstream tells, else by that of the file', async (t) => {
    const world = await makeWorld(gateway, t, perSecond);
    const { audio } = sdkOf(world);
    const { model } = world;
    const { text } = await audio.transcriptions.create({ model, file });
    assert.match(text, /^I heard 2\.50 seconds/);
    const { arithmetic, charge, usage, usage_source } = await lastRequest(world);
    assert.deepEqual([arithmetic, charge], ['3 seconds x 0.0001', '0.0003']);
    assert.deepEqual([usage?.['seconds'], usage_source], [3, 'upstream']);
    assert.equal(await audio.transcriptions.create({ model, file, response_format: 'text' }), `${text}\n`);
    const verbose = await audio.transcriptions.create({ model, file, response_format: 'verbose_json' });
    assert.deepEqual([verbose.duration, verbose.text], [2.5, text]);
    assert.match(await audio.transcriptions.create({ model, file, response_format: 'vtt' }), /^WEBVTT/);
    assert.match(await audio.transcriptions.create({ model, file, response_format: 'srt' }), /^1\n00:00:00,000 -->/);
    const untold = await lastRequest(world);
    assert.deepEqual([untold.arithmetic, untold.charge], ['2.5 seconds x 0.0001', '0.00025']);
    assert.deepEqual([untold.usage?.['seconds'], untold.usage_source], [2.5, 'counted']);
    const translated = await audio.translations.create({ model, file });
    assert.match(translated.text, /^In English 2\.50 seconds/);
    const last = await lastRequest(world);
    assert.deepEqual([last.endpoint, last.charge], ['/v1/audio/translations', '0.0003']);
    await assertSpoolEmpties(gateway.dataFolder);
  });

  test('streams, and is charged by tokens where the model counts them', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [] });
    const model = `sandbox-${uniqueName('transcribe')}`;
    const price = { unit: 'tokens', input: '2', output: '10', audio_input: '6' };
    await gateway.operator('PUT', `/models/${model}`, { price });
    await makeChannel(gateway, { [model]: 'gpt-4o-transcribe' });
    const whole = await sdkOf(world).audio.transcriptions.create({ model, file });
    assert.ok(whole.usage?.type === 'tokens');
    const { input_tokens, output_tokens, input_token_details } = whole.usage;
    const heard = BigInt(input_token_details?.audio_tokens ?? 0);
    const due = heard * 6_000n + (BigInt(input_tokens) - heard) * 2_000n + BigInt(output_tokens) * 10_000n;
    assert.equal(nano((await lastRequest(world)).charge), due);

    let text = '';
    for await (const event of await sdkOf(world).audio.transcriptions.create({ model, file, stream: true }))
      if (event.type === 'transcript.text.delta') text += event.delta;
    assert.equal(text, whole.text);
    const { charge, usage_source } = await lastRequest(world);
    assert.deepEqual([nano(charge), usage_source], [due, 'upstream']);
  });

  test('comes whole from an upstream that does not stream, charged as a whole answer and held against nobody', async (t) => {
    for (const [type, body] of [
      ['application/json', '{"text":"hello"}'],
      ['text/plain; charset=utf-8', 'hello\n'],
    ] as const)
      for (const path of ['/v1/audio/transcriptions', '/v1/audio/translations']) {
        const base_url = await startStub(t, (_, response) =>
          response.writeHead(200, { 'content-type': type }).end(body),
        );
        const world = await makeWorld(gateway, t, { ...perSecond, channels: [{ base_url, priority: 9 }, {}] });
        const response = await postForm(world, path, [
          ['model', world.model],
          ['stream', 'true'],
          ['file', file],
        ]);
        assert.deepEqual([response.status, response.headers.get('content-type')], [200, type]);
        assert.equal(await response.text(), body);
        const { attempts } = await assertCharged(world, response, nano('0.00025'));
        const outcomes = attempts.map(({ channel_id, status, error }) => [channel_id, status, error]);
        assert.deepEqual(outcomes, [[world.channels[0]?.id, 200, null]]);
      }
  });

  test('is refused by the upstream in its own words', async (t) => {
    const world = await makeWorld(gateway, t, perSecond);
    const noise = fileOf(Buffer.alloc(4_000, 1), 'noise.bin', 'application/octet-stream');
    await assert.rejects(sdkOf(world).audio.transcriptions.create({ model: world.model, file: noise }), (error) => {
      assert.ok(error instanceof OpenAI.BadRequestError);
      assert.deepEqual([error.code, error.param], ['unsupported_format', 'file']);
      return true;
    });
    assert.equal((await lastRequest(world)).charge, '0');
  });
});
