// The rest of the protocol through the vendor's own client library.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import OpenAI, { toFile } from 'openai';
import { makePng } from '../media/png.ts';
import { startSandbox } from '../server.ts';

const sandbox = await startSandbox();
after(() => sandbox.stop());
const client = new OpenAI({ apiKey: 'sandbox', baseURL: sandbox.baseUrl('openai'), maxRetries: 0 });
const isPng = (coded: string | undefined): boolean =>
  Buffer.from(coded ?? '', 'base64').toString('latin1', 1, 4) === 'PNG';

test('completions, whole and streamed', async () => {
  const request = { model: 'gpt-3.5-turbo-instruct', prompt: 'Hello', max_tokens: 40 };
  const whole = await client.completions.create(request);
  let streamed = '';
  for await (const chunk of await client.completions.create({ ...request, stream: true })) {
    streamed += chunk.choices[0]?.text ?? '';
  }
  assert.equal(streamed, whole.choices[0]?.text);
});

const weather = {
  type: 'function' as const,
  name: 'get_weather',
  strict: false,
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
};

test('responses: whole, streamed, with tools, stored', async () => {
  const request = { model: 'gpt-4o-mini', input: 'Hello' };
  const whole = await client.responses.create(request);
  assert.match(whole.output_text, /^You said: Hello/);
  const streamed = await client.responses.stream(request).finalResponse();
  assert.equal(streamed.output_text, whole.output_text);
  const called = await client.responses.stream({ ...request, input: 'weather?', tools: [weather] }).finalResponse();
  const [item] = called.output;
  assert.ok(item?.type === 'function_call');
  assert.deepEqual(JSON.parse(item.arguments), { city: 'sample city' });
  const answered = await client.responses.create({
    ...request,
    previous_response_id: called.id,
    input: [{ type: 'function_call_output', call_id: item.call_id, output: 'rain' }],
  });
  assert.match(answered.output_text, /rain/);
  assert.equal((await client.responses.retrieve(whole.id)).id, whole.id);
  const items = await client.responses.inputItems.list(whole.id);
  assert.equal(items.data.length, 1);
  await client.responses.delete(whole.id);
  await assert.rejects(client.responses.retrieve(whole.id), OpenAI.NotFoundError);
  const background = await client.responses.create({ ...request, background: true });
  assert.equal((await client.responses.cancel(background.id)).status, 'cancelled');
});

test('embeddings as floats and as the library’s own base64, moderations', async () => {
  const request = { model: 'text-embedding-3-small', input: 'Hello', dimensions: 16 };
  const coded = await client.embeddings.create(request);
  const floats = await client.embeddings.create({ ...request, encoding_format: 'float' });
  assert.deepEqual(coded.data[0]?.embedding, floats.data[0]?.embedding);
  assert.equal((await client.moderations.create({ input: 'I will kill you' })).results[0]?.flagged, true);
});

test('images: generated, streamed, edited', async () => {
  const request = { model: 'gpt-image-1', prompt: 'A boat', size: '1024x1024' as const };
  const generated = await client.images.generate(request);
  assert.ok(isPng(generated.data?.[0]?.b64_json));
  assert.ok((generated.usage?.output_tokens ?? 0) > 0);
  const types: string[] = [];
  for await (const event of await client.images.generate({ ...request, stream: true, partial_images: 1 })) {
    types.push(event.type);
    assert.ok(isPng(event.b64_json));
  }
  assert.deepEqual(types, ['image_generation.partial_image', 'image_generation.completed']);
  const png = await toFile(await makePng({ width: 4, height: 4, seed: 'x' }), 'x.png', { type: 'image/png' });
  const one = await client.images.edit({ ...request, image: png });
  const several = await client.images.edit({ ...request, image: [png, png], mask: png });
  assert.ok(isPng(one.data?.[0]?.b64_json) && isPng(several.data?.[0]?.b64_json));
  assert.notEqual(one.data?.[0]?.b64_json, several.data?.[0]?.b64_json);
});

test('speech to a file that a media library reads, and back to text', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-speech-'));
  after(() => rm(folder, { recursive: true }));
  for (const format of ['mp3', 'wav'] as const) {
    const path = join(folder, `said.${format}`);
    const input = 'Forty-five characters take three seconds, so.';
    const speech = await client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input, response_format: format });
    await writeFile(path, Buffer.from(await speech.arrayBuffer()));
    const bytes = await readFile(path);
    const media = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
    assert.ok(Math.abs((await media.computeDuration()) - 3) < 0.05);
    const file = await toFile(bytes, `said.${format}`);
    const heard = await client.audio.transcriptions.create({ model: 'whisper-1', file });
    assert.match(heard.text, /^I heard 3\.00 seconds/);
    const translated = await client.audio.translations.create({ model: 'whisper-1', file });
    assert.match(translated.text, /^In English 3\.00 seconds/);
    let streamed = '';
    for await (const event of await client.audio.transcriptions.create({
      model: 'gpt-4o-transcribe',
      file,
      stream: true,
    })) {
      if (event.type === 'transcript.text.delta') streamed += event.delta;
    }
    assert.equal(streamed, heard.text);
  }
});
