import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makePng } from '../../media/png.ts';
import { startSandbox } from '../../server.ts';
import { call, type FormEntry, readTypedEvents, writeForm } from '../../test-client.ts';

const sandbox = await startSandbox();
after(() => sandbox.stop());

type Images = { data: { url?: string; b64_json?: string; revised_prompt?: string }[]; usage?: Record<string, number> };
const ask = (fields: object, path = '/images/generations') =>
  call(sandbox, { model: 'sandbox-image', prompt: 'A boat', ...fields }, { path });
const draw = async (fields: object, path?: string): Promise<Images> => {
  const got = await ask(fields, path);
  assert.equal(got.status, 200, got.text);
  return JSON.parse(got.text) as Images;
};
const send = (entries: FormEntry[], path = '/images/edits') => {
  const form = writeForm([{ name: 'model', value: 'sandbox-image-tokens' }, ...entries]);
  return call(sandbox, {}, { path, ...form });
};
const sizeOf = (png: Buffer): string => `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;
const decode = ({ data }: Images, index = 0): Buffer => Buffer.from(data[index]?.b64_json ?? '', 'base64');

test('b64_json has exactly the asked size, differs by prompt and index, and is the same again', async () => {
  const fields = { size: '320x200', n: 2, response_format: 'b64_json' };
  const images = await draw(fields);
  assert.equal(sizeOf(decode(images)), '320x200');
  assert.notDeepEqual(decode(images, 0), decode(images, 1));
  assert.deepEqual((await draw(fields)).data, images.data);
  assert.notDeepEqual((await draw({ ...fields, prompt: 'A train' })).data, images.data);
  assert.equal(images.usage, undefined);
});

test('url answers point to a file that is served', async () => {
  const [image] = (await draw({ size: '64x32' })).data;
  assert.match(image?.revised_prompt ?? '', /A boat/);
  const response = await fetch(image?.url ?? '');
  assert.equal(response.headers.get('content-type'), 'image/png');
  assert.equal(sizeOf(Buffer.from(await response.arrayBuffer())), '64x32');
  assert.equal((await fetch(`${sandbox.address}/files/nothing.png`)).status, 404);
});

test('models that count tokens tell usage by size and quality, and answer in base64', async () => {
  const images = await draw({ model: 'gpt-image-1', quality: 'low' });
  assert.equal(sizeOf(decode(images)), '1024x1024');
  assert.partialDeepStrictEqual(images.usage, { input_tokens: 2, output_tokens: 272, total_tokens: 274 });
  const small = await draw({ model: 'sandbox-image-tokens', quality: 'high', size: '512x512', n: 2 });
  assert.equal(small.usage?.['output_tokens'], 2080);
});

test('a stream shows partial images, then the whole one with usage', async () => {
  const fields = { model: 'gpt-image-1', size: '32x32', stream: true, partial_images: 2 };
  const events = readTypedEvents((await ask(fields)).text);
  assert.deepEqual(
    events.map(({ event, data }) => [event, data['type'] === event, data['partial_image_index']]),
    [
      ['image_generation.partial_image', true, 0],
      ['image_generation.partial_image', true, 1],
      ['image_generation.completed', true, undefined],
    ],
  );
  const whole = await draw({ ...fields, stream: false });
  assert.equal(events[2]?.data['b64_json'], whole.data[0]?.b64_json);
  assert.ok(events[2]?.data['usage']);
});

test('edits depend on every uploaded byte, on the mask, and take all names of the field', async () => {
  const [one, other] = [
    await makePng({ width: 8, height: 8, seed: '1' }),
    await makePng({ width: 8, height: 8, seed: '2' }),
  ];
  const size = { name: 'size', value: '40x30' };
  const prompt = { name: 'prompt', value: 'Paint it' };
  const image = (name: string, value: Buffer): FormEntry => ({ name, value, filename: 'a.png' });
  const edit = async (...entries: FormEntry[]) => {
    const got = await send([prompt, size, ...entries]);
    assert.equal(got.status, 200, got.text);
    return JSON.parse(got.text) as Images;
  };
  const first = await edit(image('image', one));
  assert.equal(sizeOf(decode(first)), '40x30');
  assert.deepEqual((await edit(image('image[]', one))).data, first.data);
  assert.notDeepEqual((await edit(image('image', other))).data, first.data);
  assert.notDeepEqual((await edit(image('image', one), image('mask', other))).data, first.data);
  const two = await edit(image('image[0]', one), image('image[1]', other), { name: 'n', value: '2' });
  assert.equal(two.data.length, 2);
  assert.partialDeepStrictEqual(two.usage, { input_tokens_details: { image_tokens: 646 } });
  const { body, rawBody } = sandbox.records.at(-1) ?? {};
  assert.partialDeepStrictEqual(body, {
    model: 'sandbox-image-tokens',
    files: [{ field: 'image[0]', bytes: one.length }],
  });
  assert.ok((rawBody?.length ?? 0) <= 65_536);
  const events = readTypedEvents(
    (await send([prompt, size, image('image', one), { name: 'stream', value: 'true' }])).text,
  );
  assert.equal(events[0]?.event, 'image_edit.completed');
});

test('edits take addresses in JSON and in forms, also at /edits; a data address counts as its bytes', async () => {
  const png = await makePng({ width: 8, height: 8, seed: '1' });
  const data = `data:image/png;base64,${png.toString('base64')}`;
  const fields = { size: '16x16', response_format: 'b64_json', model: 'sandbox-image-tokens', prompt: 'Paint it' };
  const [one, other] = [
    await draw({ ...fields, image: data }, '/edits'),
    await draw({ ...fields, images: [{ image_url: data }] }, '/images/edits'),
  ];
  assert.deepEqual(one.data, other.data);
  const uploaded = await send([
    { name: 'prompt', value: 'Paint it' },
    { name: 'size', value: '16x16' },
    { name: 'image', value: png, filename: 'x.png' },
  ]);
  assert.deepEqual((JSON.parse(uploaded.text) as Images).data, one.data);
  const reported = await send([
    { name: 'prompt', value: 'Paint it' },
    { name: 'size', value: '16x16' },
    { name: 'image[]', value: data },
  ]);
  assert.deepEqual((JSON.parse(reported.text) as Images).data, one.data, 'also as text of a form');
  await draw({ ...fields, image: ['https://example.com/a.png'], mask: data }, '/images/edits');
});

test('what cannot be made is refused', async () => {
  const wrong: [object, string][] = [
    [{ prompt: undefined }, 'prompt'],
    [{ prompt: ' ' }, 'prompt'],
    [{ size: '10×10' }, 'size'],
    [{ size: '0x10' }, 'size'],
    [{ size: '5000x10' }, 'size'],
    [{ n: 11 }, 'n'],
    [{ n: '1' }, 'n'],
    [{ model: 'dall-e-3', n: 2 }, 'n'],
    [{ quality: 'best' }, 'quality'],
    [{ output_format: 'jpeg' }, 'output_format'],
    [{ output_compression: 50 }, 'output_compression'],
    [{ partial_images: 4 }, 'partial_images'],
    [{ response_format: 'file' }, 'response_format'],
  ];
  for (const [fields, param] of wrong) {
    const got = await ask(fields);
    assert.equal(got.status, 400, JSON.stringify(fields));
    assert.equal((JSON.parse(got.text) as { error: { param: string } }).error.param, param);
  }
  const prompt = { name: 'prompt', value: 'x' };
  const junk = { name: 'image', value: 'junk', filename: 'a.png' };
  for (const entries of [[prompt], [junk], [prompt, junk], [prompt, prompt, junk]]) {
    assert.equal((await send(entries)).status, 400);
  }
  assert.equal((await ask({}, '/images/edits')).status, 400);
  assert.equal((await ask({ image: 'ftp://x' }, '/images/edits')).status, 400);
  assert.equal((await send([prompt], '/images/generations')).status, 415);
});
