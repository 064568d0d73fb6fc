import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { GuardedClient } from '../../providers/guarded/guarded-client.ts';
import { assertFieldRefused } from '../../testing/refusals.ts';
import { videoRequestOf } from '../../testing/video-request.ts';
import { inlinePictures } from './inline-pictures.ts';

const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  if (request.url === '/a.png') response.writeHead(200, { 'content-type': 'image/PNG; x=1' }).end('ABC');
  else if (request.url === '/page') response.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
  else if (request.url === '/big')
    response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(20 * 1024 * 1024 + 1));
  else response.writeHead(404).end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const trusting = { guarded: new GuardedClient({ privateHosts: ['127.0.0.1'] }) };
const careful = { guarded: new GuardedClient({ privateHosts: [] }) };
after(async () => {
  await Promise.all([trusting.guarded.close(), careful.guarded.close()]);
  server.close();
});

const request = (fields: object) => videoRequestOf({ model: 'm', ...fields });
const DATA = 'data:image/png;base64,QUJD';

test('links become data addresses, each fetched once; what is data stays as it is', async () => {
  const link = `${origin}/a.png`;
  const inlined = await inlinePictures(trusting, request({ images: [link, DATA], image: link, inputReference: link }));
  assert.deepEqual([inlined.images, inlined.image, inlined.inputReference], [[DATA, DATA], DATA, DATA]);
  assert.deepEqual(asked, ['/a.png']);
});

test('what cannot be had is refused by the name of its field, and private addresses are not asked (V-10)', async () => {
  const refusal = async (fields: object, dependencies = trusting): Promise<() => never> => {
    const error: unknown = await inlinePictures(dependencies, request(fields)).catch((reason: unknown) => reason);
    return () => {
      throw error;
    };
  };
  const refused = async (fields: object, param: string, message: RegExp, dependencies = trusting): Promise<void> =>
    assertFieldRefused(await refusal(fields, dependencies), { param, message });
  await refused({ images: [`${origin}/none`] }, 'images', /answered with 404/);
  await refused({ inputReference: `${origin}/page` }, 'input_reference', /is no picture/);
  await refused({ images: [`${origin}/big`] }, 'images', /more than 20 MiB/);
  await refused({ images: ['http://127.0.0.1:1/x'] }, 'images', /cannot be fetched/);
  await refused({ images: Array.from({ length: 11 }, () => DATA) }, 'images', /at most 10/);
  const before = asked.length;
  await refused({ images: [`${origin}/a.png`], image: `${origin}/a.png` }, 'image', /must not be followed/, careful);
  assert.equal(asked.length, before);
});
