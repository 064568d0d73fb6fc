// Bodies of requests are stored only for tokens that are set so: bounded, sealed, without keys, and in nobody's way.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { RequestBodies, RequestDetail } from '#contract/requests.ts';
import { chat, readAnswer } from './support/chat.ts';
import { pause, waitUntil } from './support/wait.ts';
import { makeWorld, suiteGateway } from './support/world.ts';

describe('bodies of requests', { concurrency: 2 }, async () => {
  const gateway = await suiteGateway();

  const idOf = (response: Response): string => response.headers.get('x-request-id') ?? '';
  const detail = (id: string) => gateway.operator<RequestDetail>('GET', `/requests/${id}`);
  async function bodiesOf(id: string): Promise<RequestBodies> {
    await waitUntil(async () => (await detail(id)).has_bodies, 'the bodies were not kept');
    return gateway.operator<RequestBodies>('GET', `/requests/${id}/bodies`);
  }

  test('nothing is kept unless the token says so', async (t) => {
    const world = await makeWorld(gateway, t);
    const response = await chat(world, 'nobody may keep this');
    await readAnswer(response);
    await pause(300);
    assert.equal((await detail(idOf(response))).has_bodies, false);
    await assert.rejects(gateway.operator('GET', `/requests/${idOf(response)}/bodies`), /404/);
  });

  test('with "all" both bodies are kept: whole answers, streams, and no key in them (promise A-03)', async (t) => {
    const world = await makeWorld(gateway, t, { token: { options: { store_bodies: 'all' } } });
    const response = await chat(world, `my key is ${world.key}, keep it safe`);
    const { id } = await readAnswer(response);
    const kept = await bodiesOf(idOf(response));
    assert.match(kept.request?.text ?? '', /my key is \[hidden\], keep it safe/);
    assert.ok(!JSON.stringify(kept).includes(world.key));
    assert.ok(kept.answer?.text?.includes(id), 'the answer as the client got it');
    const streamed = await chat(world, 'in pieces', { stream: true });
    const text = await streamed.text();
    const { answer } = await bodiesOf(idOf(streamed));
    assert.deepEqual([answer?.text, answer?.content_type], [text, 'text/event-stream']);
  });

  test('of a long body the first 64 KiB are kept, and its length', async (t) => {
    const world = await makeWorld(gateway, t, { token: { options: { store_bodies: 'all' } } });
    const response = await chat(world, `[[big 200000]] ${'x'.repeat(100_000)}`);
    await response.arrayBuffer();
    const { request, answer } = await bodiesOf(idOf(response));
    for (const body of [request, answer]) {
      assert.equal(body?.text?.length, 64 * 1024);
      assert.ok((body?.bytes ?? 0) > 100_000);
    }
  });

  test('with "errors" only failed requests are kept, also streams that broke', async (t) => {
    const world = await makeWorld(gateway, t, { token: { options: { store_bodies: 'errors' } } });
    const good = await chat(world, 'all is well');
    await readAnswer(good);
    const goodStream = await chat(world, 'all is well', { stream: true });
    await goodStream.text();
    const refused = await chat(world, '[[fail 500]]');
    await refused.arrayBuffer();
    const broken = await chat(world, '[[cut 3]]', { stream: true });
    await broken.text().catch(() => '');
    const kept = await bodiesOf(idOf(refused));
    assert.match(kept.answer?.text ?? '', /upstream_error/);
    assert.match(kept.request?.text ?? '', /fail 500/);
    assert.match((await bodiesOf(idOf(broken))).answer?.text ?? '', /data:/);
    const array = await fetch(`${gateway.address}/v1beta/models/${world.model}:streamGenerateContent`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ contents: [{ parts: [{ text: '[[cut 3]]' }] }] }),
    });
    await array.text().catch(() => '');
    assert.match((await bodiesOf(idOf(array))).answer?.text ?? '', /^\[/, 'a stream that is an array');
    for (const { has_bodies } of await Promise.all([good, goodStream].map((response) => detail(idOf(response)))))
      assert.equal(has_bodies, false);
  });

  test('on the disk they are sealed', async (t) => {
    const world = await makeWorld(gateway, t, { token: { options: { store_bodies: 'all' } } });
    const response = await chat(world, 'a lighthouse at dusk, word by word');
    await readAnswer(response);
    await bodiesOf(idOf(response));
    for (const file of globSync(`${gateway.dataFolder}/tollgate.db*`))
      assert.ok(!readFileSync(file).includes('a lighthouse at dusk'), file);
  });
});
