// Forms on their way through the gateway: sent whole again to the next channel, refused by name, bounded in size, and gone
// from the spool however the request ends (spec 8, contract 4).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { postChat, readError } from './support/chat.ts';
import {
  assertSpoolEmpties,
  type Field,
  fileOf,
  filesOf,
  lastRequest,
  openFilesIn,
  picture,
  postForm,
  sha256,
  wave,
} from './support/media.ts';
import { openSocket, readSocket } from './support/socket.ts';
import { waitUntil } from './support/wait.ts';
import { makeWorld, suiteGateway, type World } from './support/world.ts';

const SETTINGS = { TOLLGATE_SECRET: 'a-secret-of-the-tests' };
const MB = 1_000_000;

interface Kind {
  path: string;
  file: string;
  model: { price: { unit: 'image' | 'audio_second'; amount: string } };
  make(bytes: number): Buffer<ArrayBuffer>;
  type: string;
  fields: Field[];
}

const audio = {
  file: 'file',
  model: { price: { unit: 'audio_second', amount: '0.0001' } },
  make: (bytes: number) => wave(bytes / 16_000),
  type: 'audio/wav',
  fields: [],
} satisfies Partial<Kind>;
const image = {
  file: 'image',
  model: { price: { unit: 'image', amount: '0.01' } },
  make: picture,
  type: 'image/png',
  fields: [['prompt', 'p']] as Field[],
} satisfies Partial<Kind>;
const kinds: Kind[] = [
  { path: '/v1/audio/transcriptions', ...audio },
  { path: '/v1/audio/translations', ...audio },
  { path: '/v1/images/edits', ...image },
  { path: '/v1/edits', ...image },
];

function fieldsOf(world: World, { fields, file, type }: Kind, bytes: Buffer<ArrayBuffer>): Field[] {
  return [['model', world.model], ...fields, [file, fileOf(bytes, 'upload', type)]];
}

describe('an upload', { concurrency: 2 }, async () => {
  const gateway = await suiteGateway({ settings: { ...SETTINGS, TOLLGATE_MAX_BODY_MB: '8' } });

  for (const kind of kinds) {
    const { path, file, model, make } = kind;

    test(`to ${path} goes whole to the next channel when one fails`, async (t) => {
      const world = await makeWorld(gateway, t, { model, channels: [{ behave: 'fail-500', priority: 9 }, {}] });
      for (const size of [50_000, 5 * MB]) {
        const bytes = make(size);
        const response = await postForm(world, path, [...fieldsOf(world, kind, bytes), ['user', 'somebody']]);
        assert.equal(response.status, 200, await response.text());
        for (const channel of [0, 1]) {
          const call = world.calls(channel).at(-1);
          assert.deepEqual(
            filesOf(call).map((one) => [one.field, one.bytes, one.sha256]),
            [[file, bytes.length, sha256(bytes)]],
          );
          assert.equal((call?.body as { user?: string } | undefined)?.user, 'somebody');
        }
        const { attempts, charge, arithmetic } = await lastRequest(world);
        assert.equal(attempts.length, 2);
        assert.notEqual(charge, '0', arithmetic ?? '');
      }
      await assertSpoolEmpties(gateway.dataFolder);
    });

    test(`to ${path} that lacks a field, doubles one or is no form is refused`, async (t) => {
      const world = await makeWorld(gateway, t, { model });
      const whole = fieldsOf(world, kind, make(2_000));
      const refuses = async (fields: Field[], param: string): Promise<void> => {
        const error = await readError(await postForm(world, path, fields), 400, 'invalid_request');
        assert.equal(error.param, param);
      };
      for (const name of ['model', file])
        await refuses(
          whole.filter(([one]) => one !== name),
          name,
        );
      for (const name of ['model', 'response_format', 'stream'])
        await refuses([...whole, [name, 'a'], [name, 'a']], name);
      await refuses([...whole, ['stream', 'maybe']], 'stream');
      const plain = { path, headers: { 'content-type': 'text/plain' } };
      const { message } = await readError(await postChat(world, 'x', plain), 415, 'unsupported_media_type');
      assert.equal(message.includes('application/json or'), !path.startsWith('/v1/audio/'), message); // contract 4
      assert.equal(world.calls().length, 0);
    });

    test(`to ${path} that is too large is refused, announced or not`, async (t) => {
      const world = await makeWorld(gateway, t, { model });
      const large = fieldsOf(world, kind, make(9 * MB));
      await readError(await postForm(world, path, large), 413, 'body_too_large');
      const socket = openSocket(gateway.address);
      const part = `--b\r\nContent-Disposition: form-data; name="${file}"; filename="f"\r\n\r\n`;
      const head = `POST ${path} HTTP/1.1\r\nhost: h\r\nauthorization: Bearer ${world.key}\r\ncontent-type: multipart/form-data; boundary=b\r\ntransfer-encoding: chunked\r\n\r\n`;
      socket.write(`${head}${part.length.toString(16)}\r\n${part}\r\n`);
      const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000, 65), Buffer.from('\r\n')]);
      for (let sent = 0; sent < 9; sent++) socket.write(chunk);
      assert.match(await readSocket(socket), /^HTTP\/1\.1 413 /);
      await assertSpoolEmpties(gateway.dataFolder);
    });

    test(`to ${path} ends at the upstream when the client leaves, and is charged (promise M-07)`, async (t) => {
      const world = await makeWorld(gateway, t, { model, channels: [{ behave: 'slow-10000' }] });
      const leaving = new AbortController();
      const asked = postForm(world, path, fieldsOf(world, kind, make(3 * MB)), leaving.signal);
      await waitUntil(() => world.calls().length === 1, 'the upstream was not called');
      leaving.abort();
      await assert.rejects(asked);
      await waitUntil(() => world.calls()[0]?.aborted === true, 'the upstream was not cancelled');
      await waitUntil(async () => (await lastRequest(world)).error_code === 'client_gone', 'it was not logged');
      assert.notEqual((await lastRequest(world)).charge, '0');
      await assertSpoolEmpties(gateway.dataFolder);
    });
  }

  test('in JSON goes through, of announced length or not, and is refused when too large', async (t) => {
    const world = await makeWorld(gateway, t, { model: image.model });
    const send = (bytes: number, chunked: boolean): Promise<Response> => {
      const address = `data:image/png;base64,${picture(bytes).toString('base64')}`;
      const body = Buffer.from(JSON.stringify({ model: world.model, prompt: 'p', size: '64x64', image: address }));
      return fetch(`${gateway.address}/v1/images/edits`, {
        method: 'POST',
        headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
        body: chunked ? new Blob([body]).stream() : body,
        duplex: 'half',
      });
    };
    for (const chunked of [false, true]) {
      const answers = await Promise.all(Array.from({ length: 6 }, () => send(5 * MB, chunked)));
      for (const answer of answers) assert.equal(answer.status, 200, await answer.text());
      await readError(await send(9 * MB, chunked), 413, 'body_too_large');
    }
    assert.equal(world.calls().length, 12);
    for (const path of ['/v1/images/generations', '/v1/audio/speech']) {
      const body = JSON.stringify({ model: world.model, prompt: 'p'.repeat(9 * MB) });
      await readError(await postChat(world, body, { path }), 413, 'body_too_large');
    }
  });

  test('whose client leaves in its middle leaves nothing behind', async (t) => {
    const world = await makeWorld(gateway, t, { model: audio.model });
    const socket = openSocket(gateway.address);
    const head = `POST /v1/audio/transcriptions HTTP/1.1\r\nhost: h\r\nauthorization: Bearer ${world.key}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 6000000\r\n\r\n`;
    const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n';
    socket.write(head + part);
    socket.write(Buffer.alloc(3 * MB, 65));
    await waitUntil(
      () => openFilesIn(gateway.dataFolder).some((path) => path.includes('/spool/')),
      'nothing was spooled',
    );
    socket.destroy();
    await assertSpoolEmpties(gateway.dataFolder);
    assert.equal(world.calls().length, 0);
  });
});
