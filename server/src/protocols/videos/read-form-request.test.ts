import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VideoRequest } from '../../neutral/video.ts';
import { fakeForm } from '../../testing/fake-form.ts';
import { isFieldRefused } from '../../testing/refusals.ts';
import { readVideoForm } from './read-form-request.ts';

type Part = Parameters<typeof fakeForm>[0][number];
const plain: Part[] = [
  ['model', 'm'],
  ['prompt', 'a boat'],
];
const read = (...parts: Part[]): Promise<VideoRequest> => readVideoForm(fakeForm([...plain, ...parts]));
const refuses = (parts: Part[], param: string, message: RegExp): Promise<void> =>
  assert.rejects(readVideoForm(fakeForm(parts)), (error) => isFieldRefused(error, { param, message }));

test('a form has the fields of spec 2.1 as text (contract 5)', async () => {
  const request = await read(
    ['seconds', '8'],
    ['duration', '9'],
    ['size', '1280x720'],
    ['mode', 'pro'],
    ['image', 'https://m.test/1.png'],
    ['metadata', '{"duration": 6, "media": []}'],
  );
  assert.deepEqual(request, {
    model: 'm',
    prompt: 'a boat',
    images: ['https://m.test/1.png'],
    image: 'https://m.test/1.png',
    inputReference: undefined,
    seconds: '8',
    duration: 9,
    size: '1280x720',
    sizeBinds: true,
    mode: 'pro',
    metadata: { duration: 6, media: [] },
    unknown: [],
  });
});

test('a form without prompt or model is refused like JSON', async () => {
  await refuses([['model', 'm']], 'prompt', /^prompt is required$/);
  await refuses([['prompt', ' ']], 'prompt', /^prompt is required$/);
  await refuses([['prompt', 'p']], 'model', /'model' is required/);
});

test('images come as several fields, in either spelling, or as one JSON array', async () => {
  const images = ['https://m.test/1.png', 'https://m.test/2.png'] as const;
  for (const names of [
    ['images', 'images'],
    ['images[]', 'images[]'],
    ['images[0]', 'images[1]'],
    ['images[2]', 'images[10]'],
  ] as const)
    assert.deepEqual((await read([names[0], images[0]], [names[1], images[1]])).images, images);
  const turned = await read(['images[1]', images[1]], ['images[0]', images[0]]);
  assert.deepEqual(turned.images, images); // spec 8: image[n]; prompts name images by their order
  assert.deepEqual((await read(['images', JSON.stringify(images)])).images, images);
  assert.deepEqual((await read(['images', ''])).images, []);
  await refuses([...plain, ['images', '[1]']], 'images[0]', /a string/);
  await refuses([...plain, ['images', '[']], 'images', /JSON array/);
  await refuses([...plain, ['images', { file: 'png' }]], 'images', /not files/);
});

test('metadata also comes field by field, as vendors’ clients write objects', async () => {
  assert.deepEqual((await read(['metadata[duration]', '6'], ['metadata[resolution]', '720P'])).metadata, {
    duration: '6',
    resolution: '720P',
  });
  assert.deepEqual(Object.keys((await read(['metadata[__proto__]', 'x'])).metadata), ['__proto__']);
  await refuses([...plain, ['metadata[a]', '1'], ['metadata[a]', '2']], 'metadata', /more than once/);
  await refuses([...plain, ['metadata', '{}'], ['metadata[a]', '2']], 'metadata', /more than once/);
  await refuses([...plain, ['metadata', 'word']], 'metadata', /JSON text/);
});

test('objects and lists inside metadata are written with brackets, up to a depth', async () => {
  const metadata = async (...parts: Part[]) => (await read(...parts)).metadata;
  const media = [
    { type: 'video', url: 'https://m.test/1.mp4' },
    { type: 'reference_image', url: 'https://m.test/2.png' },
  ];
  for (const [one, two] of [
    ['0', '1'],
    ['', ''],
  ])
    assert.deepEqual(
      await metadata(
        [`metadata[media][${one}][type]`, 'video'],
        [`metadata[media][${one}][url]`, 'https://m.test/1.mp4'],
        [`metadata[media][${two}][type]`, 'reference_image'],
        [`metadata[media][${two}][url]`, 'https://m.test/2.png'],
        ['metadata[duration]', '6'],
      ),
      { media, duration: '6' },
    );
  assert.deepEqual(
    await metadata(['metadata[content][1][image_url][url]', 'b'], ['metadata[content][0][image_url][url]', 'a']),
    { content: [{ image_url: { url: 'a' } }, { image_url: { url: 'b' } }] },
  );
  assert.deepEqual(await metadata(['metadata[tags][]', 'a'], ['metadata[tags][]', 'b']), { tags: ['a', 'b'] });
  assert.deepEqual(await metadata(['metadata[0]', 'a'], ['metadata[a][1]', 'b']), { '0': 'a', a: { '1': 'b' } });
  assert.deepEqual(await metadata(['metadata[a][__proto__][b]', 'x']), JSON.parse('{"a":{"__proto__":{"b":"x"}}}'));
  const refused = (parts: Part[], message: RegExp) => refuses([...plain, ...parts], 'metadata', message);
  await refused([[`metadata${'[a]'.repeat(9)}`, 'x']], /at most 8 deep/);
  for (const name of ['metadata[]', 'metadata[a', 'metadata[a]b', 'metadata[a[b]]'])
    await refused([[name, 'x']], /one JSON text/);
  await refused([['metadata[a]', 'x'], ['metadata[a][b]', 'y']], /more than once/); // prettier-ignore
  await refused([['metadata[a][b]', 'x'], ['metadata[a]', 'y']], /more than once/); // prettier-ignore
  await refused([['metadata[a][b]', { file: 'x' }]], /not a file/);
});

test('parts that mean nothing here are named', async () => {
  assert.deepEqual((await read(['n', '2'], ['images[]', 'https://m.test/1'], ['webhook_url', 'x'])).unknown, ['n']);
});

test('the reference is an address, or a file that becomes a data address (contract 5)', async () => {
  const url = 'https://m.test/1.png';
  assert.equal((await read(['input_reference', url])).inputReference, url);
  assert.equal((await read(['input_reference[image_url]', url])).inputReference, url);
  assert.equal((await read(['input_reference', JSON.stringify({ image_url: url })])).inputReference, url);
  for (const text of ['{', '{}', '{"image_url":5}'])
    await refuses([...plain, ['input_reference', text]], 'input_reference', /object with it in image_url/);
  assert.equal((await read(['input_reference', ''])).inputReference, undefined);
  const file = await read(['input_reference', { file: 'bytes', contentType: 'image/PNG; x=y' }]);
  assert.equal(file.inputReference, `data:image/png;base64,${Buffer.from('bytes').toString('base64')}`);
});

test('a file without a type of image is recognised by its first bytes', async () => {
  const golden: [string, string][] = [
    ['89504e470d0a1a0a00', 'image/png'],
    ['ffd8ffe000', 'image/jpeg'],
    ['47494638396100', 'image/gif'],
    ['524946460000000057454250', 'image/webp'],
  ];
  for (const [hex, type] of golden) {
    const file = Buffer.from(hex, 'hex');
    for (const contentType of [undefined, 'application/octet-stream']) {
      const part = { file, ...(contentType !== undefined && { contentType }) };
      const { inputReference } = await read(['input_reference', part]);
      assert.equal(inputReference, `data:${type};base64,${file.toString('base64')}`);
    }
  }
  for (const contentType of [undefined, 'video/mp4', 'text/plain', 'image/'])
    await refuses(
      [...plain, ['input_reference', { file: 'words', ...(contentType !== undefined && { contentType }) }]],
      'input_reference',
      /file of type image/,
    );
});

test('a reference that is empty, too large or given twice is refused', async () => {
  const png = { contentType: 'image/png' };
  await refuses([...plain, ['input_reference', { file: '', ...png }]], 'input_reference', /an empty file/);
  const large = Buffer.alloc(20 * 1024 * 1024 + 1);
  await refuses([...plain, ['input_reference', { file: large, ...png }]], 'input_reference', /larger than 20 MiB/);
  const allowed = await read(['input_reference', { file: large.subarray(1), ...png }]);
  assert.ok(allowed.inputReference?.startsWith('data:image/png;base64,AAAA'));
  const twice: Part[] = [
    ['input_reference', 'https://m.test/1'],
    ['input_reference[image_url]', 'https://m.test/2'],
  ];
  await refuses([...plain, ...twice], 'input_reference', /more than once/);
  await refuses([...plain, ['input_reference', 'x'], ['input_reference', 'y']], 'input_reference', /more than once/);
});

test('a file in the place of a text, a field that stands twice, and another spelling are refused', async () => {
  for (const name of ['prompt', 'model', 'seconds', 'image', 'metadata'])
    await refuses([...plain.filter(([one]) => one !== name), [name, { file: 'x' }]], name, /not a file/);
  for (const name of ['model', 'prompt', 'seconds', 'metadata'])
    await refuses([...plain, [name, '1'], [name, '2']], name, /more than once/);
  await refuses([...plain, ['Seconds', '4']], 'seconds', /must be written 'seconds'/);
});

test('a picture as a data URL may be as large as a file, in every field that takes one', async () => {
  const picture = `data:image/png;base64,${'A'.repeat(2 * 1024 * 1024)}`;
  assert.equal((await read(['image', picture])).image, picture);
  assert.deepEqual((await read(['images[]', picture], ['images[]', 'https://m.test/2.png'])).images, [
    picture,
    'https://m.test/2.png',
  ]);
  assert.deepEqual((await read(['images', JSON.stringify([picture])])).images, [picture]);
  assert.equal((await read(['input_reference', picture])).inputReference, picture);
  assert.equal((await read(['input_reference[image_url]', picture])).inputReference, picture);
});
