// POST /v1/images/variations: one picture, passed on to upstreams of the compatible protocol, with the price of images (issue
// "every client works unchanged", point 8).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readError } from './support/chat.ts';
import { moneyOf } from './support/endpoint-checks.ts';
import { type Field, fileOf, filesOf, lastRequest, picture, postForm, sdkOf, sha256 } from './support/media.ts';
import { makeWorld, suiteGateway } from './support/world.ts';

const price = { unit: 'image', amount: '0.04', by: { '256x256': '0.01' } } as const;
const perImage = { model: { price } } as const;

function pngSize(base64: string | undefined): [number, number] {
  const bytes = Buffer.from(base64 ?? '', 'base64');
  assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

describe('image variations', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway();
  const VARIATIONS = '/v1/images/variations';

  test('are made with the openai library, charged by image, and passed on as they came', async (t) => {
    const world = await makeWorld(gateway, t, perImage);
    const bytes = picture();
    const image = fileOf(bytes, 'a.png', 'image/png');
    const made = await sdkOf(world).images.createVariation({
      model: world.model,
      image,
      n: 2,
      size: '256x256',
      response_format: 'b64_json',
    });
    assert.equal(made.data?.length, 2);
    assert.deepEqual(pngSize(made.data?.[0]?.b64_json), [256, 256]);
    const { charge, arithmetic, endpoint } = await lastRequest(world);
    assert.deepEqual([charge, arithmetic, endpoint], ['0.02', '2 images of 256x256 x 0.01', VARIATIONS]);
    const [file] = filesOf(world.calls().at(-1));
    assert.equal(file?.sha256, sha256(bytes));
  });

  test('without a picture, with a prompt, two pictures or a wrong number are refused by name, and hold nothing', async (t) => {
    const world = await makeWorld(gateway, t, perImage);
    const png = fileOf(picture(), 'a.png', 'image/png');
    const fields = (...more: Field[]): Field[] => [['model', world.model], ...more];
    const image: Field = ['image', png];
    for (const [form, param] of [
      [fields(), 'image'],
      [[image], 'model'],
      [fields(image, ['prompt', 'a hat']), 'prompt'],
      [fields(image, ['stream', 'true']), 'stream'],
      [fields(['image[]', png], ['image[]', png]), 'image'],
      [fields(image, ['n', '0']), 'n'],
    ] as [Field[], string][]) {
      const error = await readError(await postForm(world, VARIATIONS, form), 400, 'invalid_request');
      assert.equal(error.param, param);
    }
    assert.deepEqual(await moneyOf(world), {});
  });

  test('of a model without such a channel are 400 that names where it is served', async (t) => {
    const azure = { provider: 'azure' as const, base_url: gateway.upstream.baseUrl('azure') };
    const world = await makeWorld(gateway, t, { ...perImage, channels: [azure] });
    const form: Field[] = [
      ['model', world.model],
      ['image', fileOf(picture(), 'a.png', 'image/png')],
    ];
    const error = await readError(await postForm(world, VARIATIONS, form), 400, 'invalid_request');
    assert.match(error.message, /It is served at \/v1\/images\/generations\.$/);
  });
});
