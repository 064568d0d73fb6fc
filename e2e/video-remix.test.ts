// Remixes and pictures of videos, where the upstream has them: a channel in the task style (issue "every client works
// unchanged", point 8).
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type OpenAI from 'openai';
import { readError } from './support/chat.ts';
import { sdkOf } from './support/media.ts';
import { balanceOf } from './support/money.ts';
import { call, makeVideoWorld, POLL_MS, submitted, untilStatus } from './support/videos.ts';
import { waitUntil } from './support/wait.ts';
import { makeToken, makeWorld, suiteGateway, type World } from './support/world.ts';

const price = { unit: 'second', amount: '0.1', resolution: { '1280X720': '1.5' } } as const;

describe('a video of a provider in the task style', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway({ settings: { TOLLGATE_TASK_POLL_MS: POLL_MS } });
  const makeTaskWorld = (t: TestContext, behave = 'task-time-0'): Promise<World> =>
    makeWorld(gateway, t, { model: { price }, channels: [{ behave }, { behave }] });
  const finished = async (openai: OpenAI, id: string): Promise<OpenAI.Video> => {
    await waitUntil(
      async () => (await openai.videos.retrieve(id)).status !== 'queued',
      'the task stays queued',
      60_000,
    );
    await waitUntil(async () => (await openai.videos.retrieve(id)).status === 'completed', 'no video', 60_000);
    return openai.videos.retrieve(id);
  };
  const remix = (world: World, id: string, body: object): Promise<Response> =>
    call(world, 'POST', `/v1/videos/${id}/remix`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  test('is remixed with the openai library at the channel that keeps it, for the price of its length', async (t) => {
    const world = await makeTaskWorld(t);
    const openai = sdkOf(world);
    const made = await openai.videos.create({ model: world.model, prompt: 'a boat', seconds: '8', size: '1280x720' });
    await finished(openai, made.id);
    const remixed = await openai.videos.remix(made.id, { prompt: 'the same at night' });
    assert.notEqual(remixed.id, made.id);
    assert.deepEqual(
      [remixed.status, remixed.model, remixed.seconds, remixed.size, remixed.remixed_from_video_id],
      ['queued', world.model, '8', '1280x720', made.id],
    );
    const video = await finished(openai, remixed.id);
    assert.equal(video.remixed_from_video_id, made.id);
    assert.equal(await balanceOf(gateway, world.account.id), '97.6', 'two videos of 1.2');
    const sent = gateway.upstream.records.findLast(({ path }) => path.endsWith('/remix'));
    assert.deepEqual(sent?.body, { prompt: 'the same at night' });
    const bytes = Buffer.from(await (await openai.videos.downloadContent(remixed.id)).arrayBuffer());
    assert.equal(bytes.toString('latin1', 4, 8), 'ftyp');
  });

  test('has a thumbnail and a spritesheet, and its task is charged once', async (t) => {
    const world = await makeTaskWorld(t);
    const openai = sdkOf(world);
    const made = await openai.videos.create({ model: world.model, prompt: 'a boat', seconds: '4', size: '1280x720' });
    await finished(openai, made.id);
    for (const variant of ['thumbnail', 'spritesheet'] as const) {
      const content = await openai.videos.downloadContent(made.id, { variant });
      const bytes = Buffer.from(await content.arrayBuffer());
      assert.equal(content.headers.get('content-type'), 'image/png');
      assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
    }
    assert.equal(await balanceOf(gateway, world.account.id), '99.4');
  });

  test('is not remixed by others, before it is finished, without a prompt or out of scope', async (t) => {
    const world = await makeTaskWorld(t);
    const stranger = await makeTaskWorld(t);
    const openai = sdkOf(world);
    const made = await openai.videos.create({ model: world.model, prompt: 'a boat' });
    await finished(openai, made.id);
    await readError(await remix(stranger, made.id, { prompt: 'mine' }), 404, 'task_not_found');
    const silent = await readError(await remix(world, made.id, {}), 400, 'invalid_request');
    assert.deepEqual([silent.message, silent.param], ['prompt is required', 'prompt']);
    await readError(await remix(world, made.id, { prompt: 7 }), 400, 'invalid_request');
    const scoped = await makeToken(gateway, { account_id: world.account.id, models: ['something-else'] });
    await readError(await remix({ ...world, key: scoped.key }, made.id, { prompt: 'x' }), 403, 'model_not_allowed');
    const slow = await makeTaskWorld(t, 'task-time-600000');
    const waiting = await sdkOf(slow).videos.create({ model: slow.model, prompt: 'a boat' });
    await readError(await remix(slow, waiting.id, { prompt: 'x' }), 409, 'task_not_finished');
    await call(slow, 'DELETE', `/v1/videos/${waiting.id}`);
  });

  test('of another provider is 404, with a path that is served', async (t) => {
    const world = await makeVideoWorld(gateway, t);
    const id = await submitted(world);
    await untilStatus(world, id, 'SUCCESS');
    const error = await readError(await remix(world, id, { prompt: 'x' }), 404, 'not_found');
    assert.match(error.message, /has no remix\. POST \/v1\/videos makes another video\.$/);
    const hinted = await call(world, 'POST', '/v1/videos', {
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    assert.equal(hinted.status, 400, 'the path is served');
  });
});
