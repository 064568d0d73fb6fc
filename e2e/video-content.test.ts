// The video of a finished task through the gateway: whole, in ranges, when links expire or lead astray, and archived.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { readError } from './support/chat.ts';
import { VIDEO } from './support/video-stub.ts';
import { call, makeVideoWorld, onEveryGateway, submitted, taskOf, untilStatus, wrapperOf } from './support/videos.ts';
import { waitUntil } from './support/wait.ts';

onEveryGateway((gateway) => {
  test('a client that leaves its download ends it', async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    let closed = false;
    const file = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4' }).write(Buffer.alloc(1024));
      response.once('close', () => (closed = true));
    }).listen(0, '127.0.0.1');
    await once(file, 'listening');
    t.after(() => file.close().closeAllConnections());
    const { port } = file.address() as AddressInfo;
    world.stub.link = `http://127.0.0.1:${port}/slow.mp4`;
    const id = await submitted(world);
    await untilStatus(world, id, 'SUCCESS');
    const leaving = new AbortController();
    const response = await call(world, 'GET', `/v1/videos/${id}/content`, { signal: leaving.signal });
    assert.equal(response.status, 200);
    leaving.abort();
    await waitUntil(() => closed, 'the link is still being read');
  });

  test('the video is proxied whole, in ranges and by head alone, with no header but those that describe it (promise V-10)', async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    world.stub.script = ['running'];
    const id = await submitted(world);
    const path = `/v1/videos/${id}/content`;
    await readError(await call(world, 'GET', path), 409, 'task_not_finished');
    for (const task of world.stub.tasks.values()) task.script = ['succeeded'];
    await untilStatus(world, id, 'SUCCESS');

    const whole = await call(world, 'GET', path);
    assert.equal(whole.status, 200);
    assert.ok(Buffer.from(await whole.arrayBuffer()).equals(VIDEO));
    assert.equal(whole.headers.get('content-type'), 'video/mp4');
    assert.equal(whole.headers.get('content-length'), String(VIDEO.length));
    assert.match(whole.headers.get('cache-control') ?? '', /^private/);
    for (const name of ['set-cookie', 'x-internal-host']) assert.equal(whole.headers.get(name), null, name);

    const part = await call(world, 'GET', path, { headers: { range: 'bytes=10-19' } });
    assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes 10-19/${VIDEO.length}`]);
    assert.ok(Buffer.from(await part.arrayBuffer()).equals(VIDEO.subarray(10, 20)));
    const several = await call(world, 'GET', path, { headers: { range: 'bytes=0-1,5-6' } });
    assert.equal(several.status, 200);
    assert.equal((await several.arrayBuffer()).byteLength, VIDEO.length);
    const beyond = await call(world, 'GET', path, { headers: { range: 'bytes=9999999-' } });
    await readError(beyond, 416, 'range_not_satisfiable');
    const head = await call(world, 'HEAD', path);
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(VIDEO.length)]);
    assert.equal((await head.arrayBuffer()).byteLength, 0);
    await readError(await call(world, 'GET', `${path}?variant=other`), 400, 'invalid_request');
    const none = await readError(await call(world, 'GET', `${path}?variant=thumbnail`), 404, 'not_found');
    assert.match(none.message, /has no thumbnail of a video\.$/);
    await readError(await call(world, 'GET', `${path}/more`), 404, 'not_found');
  });

  test('ranges and heads are answered where the storage sends the whole video (contract 5)', async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    const ends: number[] = [];
    const storage = createServer((request, response) => {
      response.writeHead(200, {
        'content-type': 'video/mp4',
        etag: '"v1"',
        ...(request.url === '/known.mp4' && { 'content-length': VIDEO.length }),
      });
      response.once('close', () => ends.push(response.writableLength));
      for (let at = 0; at < VIDEO.length; at += 30_000) response.write(VIDEO.subarray(at, at + 30_000));
      response.end();
    }).listen(0, '127.0.0.1');
    await once(storage, 'listening');
    t.after(() => storage.close().closeAllConnections());
    const { port } = storage.address() as AddressInfo;
    const videoAt = async (name: string): Promise<string> => {
      world.stub.link = `http://127.0.0.1:${port}/${name}`;
      const id = await submitted(world);
      await untilStatus(world, id, 'SUCCESS');
      return `/v1/videos/${id}/content`;
    };
    const path = await videoAt('known.mp4');
    const size = VIDEO.length;
    for (const [range, start, end] of [
      ['bytes=29990-60009', 29_990, 60_009],
      ['bytes=0-0', 0, 0],
      ['bytes=-5', size - 5, size - 1],
      ['bytes=99990-', 99_990, size - 1],
      ['bytes=0-999999', 0, size - 1],
    ] as const) {
      for (const method of ['GET', 'HEAD']) {
        const part = await call(world, method, path, { headers: { range } });
        const length = end - start + 1;
        assert.deepEqual(
          ['content-range', 'content-length', 'accept-ranges', 'content-type'].map((name) => part.headers.get(name)),
          [`bytes ${start}-${end}/${size}`, String(length), 'bytes', 'video/mp4'],
        );
        assert.equal(part.status, 206);
        const bytes = Buffer.from(await part.arrayBuffer());
        assert.ok(bytes.equals(method === 'HEAD' ? Buffer.alloc(0) : VIDEO.subarray(start, end + 1)), range);
      }
    }
    await waitUntil(() => ends.length === 10, 'a download of the storage is still open');
    const beyond = await call(world, 'GET', path, { headers: { range: `bytes=${size}-` } });
    assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, `bytes */${size}`]);
    const changed = await call(world, 'GET', path, { headers: { range: 'bytes=0-9', 'if-range': '"v0"' } });
    assert.deepEqual([changed.status, (await changed.arrayBuffer()).byteLength], [200, size]);
    const same = await call(world, 'GET', path, { headers: { range: 'bytes=0-9', 'if-range': '"v1"' } });
    assert.deepEqual([same.status, (await same.arrayBuffer()).byteLength], [206, 10]);

    const unknown = await call(world, 'GET', await videoAt('unknown.mp4'), { headers: { range: 'bytes=0-9' } });
    assert.deepEqual([unknown.status, unknown.headers.get('accept-ranges')], [200, 'none']);
    assert.equal((await unknown.arrayBuffer()).byteLength, size);
  });

  test('conditions are handed on, and what the storage keeps encoded says so', async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    const id = await submitted(world);
    await untilStatus(world, id, 'SUCCESS');
    const path = `/v1/videos/${id}/content`;
    const asked = (headers: Record<string, string>): Promise<Response> => call(world, 'GET', path, { headers });
    const same = await asked({ 'if-none-match': '"v1"' });
    assert.deepEqual([same.status, same.headers.get('etag'), await same.text()], [304, '"v1"', '']);
    assert.match(same.headers.get('cache-control') ?? '', /^private/);
    assert.equal(same.headers.get('set-cookie'), null);
    assert.equal((await asked({ 'if-none-match': '"v0"' })).status, 200);
    assert.equal((await asked({ range: 'bytes=0-9', 'if-range': '"v1"' })).status, 206);
    assert.equal((await asked({ range: 'bytes=0-9', 'if-range': '"v0"' })).status, 200);
    world.stub.gzips = true;
    const encoded = await asked({});
    assert.equal(encoded.headers.get('content-encoding'), 'gzip');
    assert.ok(Buffer.from(await encoded.arrayBuffer()).equals(VIDEO), 'clients decode what the headers name');
  });

  test('what is at a path decides over the method: 405 with those allowed, or 404 for all of them', async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    const id = await submitted(world);
    await untilStatus(world, id, 'SUCCESS');
    const allowed: [path: string, methods: string][] = [
      [`/v1/videos/${id}/content`, 'GET, HEAD'],
      [`/v1/videos/${id}`, 'DELETE, GET, HEAD'],
      [`/v1/video/generations/${id}`, 'GET, HEAD'],
    ];
    for (const [path, methods] of allowed) {
      for (const method of ['DELETE', 'POST', 'PUT', 'PATCH']) {
        if (methods.includes(method)) continue;
        const response = await call(world, method, path);
        assert.deepEqual([response.status, response.headers.get('allow')], [405, methods], `${method} ${path}`);
      }
    }
    for (const path of [`/v1/videos/${id}/thumbnail`, `/v1/videos/${id}/content/more`, `/v1/videos/${id}/`]) {
      for (const method of ['GET', 'DELETE', 'POST', 'PUT'])
        assert.equal((await call(world, method, path)).status, 404, `${method} ${path}`);
    }
    await readError(await call(world, 'GET', `/v1/videos/${'x'.repeat(600)}`), 404, 'task_not_found');
    assert.equal((await wrapperOf(world, id)).status, 'SUCCESS');
  });

  test('a link that has expired is asked for again; one that is gone for good is 410', async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    const id = await submitted(world);
    await untilStatus(world, id, 'SUCCESS');
    world.stub.linkGeneration = 1;
    const again = await call(world, 'GET', `/v1/videos/${id}/content`);
    assert.ok(Buffer.from(await again.arrayBuffer()).equals(VIDEO));
    assert.match((await wrapperOf(world, id)).result_url, /generation=1$/);
    world.stub.linkGeneration = 2;
    world.stub.tasks.clear();
    await readError(await call(world, 'GET', `/v1/videos/${id}/content`), 410, 'video_expired');
  });

  for (const link of [
    'http://169.254.169.254/latest/meta-data/',
    'http://localhost:1/video.mp4',
    'http://[::1]:1/v.mp4',
  ]) {
    test(`a result at ${link} is not fetched (promises A-10, V-10)`, async (t) => {
      const world = await makeVideoWorld(gateway(), t);
      world.stub.link = link;
      const id = await submitted(world);
      await untilStatus(world, id, 'SUCCESS');
      const error = await readError(await call(world, 'GET', `/v1/videos/${id}/content`), 502, 'upstream_error');
      assert.doesNotMatch(error.message, /169\.254|localhost|::1/);
    });
  }

  test('a copy is plain bytes with a tag of its own, also of what the storage keeps encoded', async (t) => {
    const world = await makeVideoWorld(gateway(), t, { channels: [{ options: { archive: true } }] });
    world.stub.gzips = true;
    const id = await submitted(world);
    await untilStatus(world, id, 'SUCCESS');
    await waitUntil(async () => (await taskOf(world, id)).archived, 'the video is not archived');
    const asked = (headers: Record<string, string>): Promise<Response> =>
      call(world, 'GET', `/v1/videos/${id}/content`, { headers });
    const whole = await asked({});
    assert.equal(whole.headers.get('content-encoding'), null);
    assert.ok(Buffer.from(await whole.arrayBuffer()).equals(VIDEO));
    const [etag, modified] = [whole.headers.get('etag') ?? '', whole.headers.get('last-modified') ?? ''];
    assert.equal((await asked({ 'if-none-match': etag })).status, 304);
    assert.equal((await asked({ 'if-modified-since': modified })).status, 304);
    assert.equal((await asked({ range: 'bytes=0-9', 'if-range': etag })).status, 206);
    assert.equal((await asked({ range: 'bytes=0-9', 'if-range': '"other"' })).status, 200);
  });

  test('an archiving channel keeps the video when the link is gone', async (t) => {
    const world = await makeVideoWorld(gateway(), t, { channels: [{ options: { archive: true } }] });
    const id = await submitted(world);
    await untilStatus(world, id, 'SUCCESS');
    await waitUntil(async () => (await taskOf(world, id)).archived, 'the video is not archived');
    world.stub.linkGeneration = 9;
    world.stub.tasks.clear();
    const whole = await call(world, 'GET', `/v1/videos/${id}/content`);
    assert.ok(Buffer.from(await whole.arrayBuffer()).equals(VIDEO));
    const part = await call(world, 'GET', `/v1/videos/${id}/content`, { headers: { range: 'bytes=-5' } });
    assert.deepEqual([part.status, part.headers.get('content-length')], [206, '5']);
    assert.ok(Buffer.from(await part.arrayBuffer()).equals(VIDEO.subarray(-5)));
    assert.equal((await call(world, 'DELETE', `/v1/videos/${id}`)).status, 200);
  });
});
