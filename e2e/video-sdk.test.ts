// The openai client library makes videos with the gateway as with its own vendor: create, retrieve, list, download, delete.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI, { toFile } from 'openai';
import { sdkOf } from './support/media.ts';
import { assertMoneyAddsUp } from './support/money.ts';
import { POLL_MS } from './support/videos.ts';
import { waitUntil } from './support/wait.ts';
import { watchAnswers } from './support/watch-answers.ts';
import { makeAccount, makeToken, suiteGateway, uniqueName } from './support/world.ts';

const gateway = await suiteGateway({ settings: { TOLLGATE_TASK_POLL_MS: POLL_MS } });
watchAnswers(gateway);

async function client(): Promise<OpenAI> {
  const account = await makeAccount(gateway, { name: uniqueName('sdk'), credit: '100' });
  const { key } = await makeToken(gateway, { account_id: account.id });
  return sdkOf({ gateway, key });
}

/** The smallest picture there is. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function finished(openai: OpenAI, id: string): Promise<OpenAI.Video> {
  let video = await openai.videos.retrieve(id);
  await waitUntil(async () => {
    video = await openai.videos.retrieve(id);
    return video.status === 'completed' || video.status === 'failed';
  }, 'the video is not finished');
  return video;
}

test('videos.create, retrieve, list, downloadContent and delete', async () => {
  const openai = await client();
  const made = await openai.videos.create({
    model: 'alpha-1.1-t2v',
    prompt: 'a paper boat [[task-polls 3]]',
    seconds: '4',
    size: '1280x720',
  });
  assert.deepEqual([made.object, made.status, made.progress, made.model], ['video', 'queued', 0, 'alpha-1.1-t2v']);
  assert.deepEqual([made.seconds, made.size], ['4', '1280x720'], 'the size binds (contract-2 7)');
  const video = await finished(openai, made.id);
  assert.deepEqual([video.status, video.progress, video.error], ['completed', 100, null]);
  assert.ok((video.completed_at ?? 0) >= video.created_at);

  const content = await openai.videos.downloadContent(made.id);
  const bytes = Buffer.from(await content.arrayBuffer());
  assert.equal(content.headers.get('content-type'), 'video/mp4');
  assert.equal(bytes.toString('latin1', 4, 8), 'ftyp'); // an MP4 file

  const other = await openai.videos.create({ model: 'beta-1-0-lite-t2v', prompt: 'b [[task-polls 2]]' });
  await finished(openai, other.id);
  const ids: string[] = [];
  for await (const one of openai.videos.list({ limit: 1, order: 'asc' })) ids.push(one.id);
  assert.deepEqual(ids, [made.id, other.id]);

  assert.deepEqual(await openai.videos.delete(made.id), { id: made.id, object: 'video.deleted', deleted: true });
  await assert.rejects(openai.videos.retrieve(made.id), (error: unknown) => {
    assert.ok(error instanceof OpenAI.NotFoundError);
    assert.equal(error.code, 'task_not_found');
    return true;
  });
  await assertMoneyAddsUp(gateway);
});

test('videos.create with a reference file', async () => {
  const openai = await client();
  const made = await openai.videos.create({
    model: 'alpha-1.1-i2v',
    prompt: 'the picture moves [[task-polls 2]]',
    input_reference: await toFile(PNG, 'first.png', { type: 'image/png' }),
  });
  assert.equal((await finished(openai, made.id)).status, 'completed');
  const [upstream] = (gateway.running.sandbox?.records ?? []).filter(({ method, body }) => {
    return method === 'POST' && JSON.stringify(body).includes('the picture moves');
  });
  assert.match(
    JSON.stringify(upstream?.body),
    /"first_frame"[^}]*data:image\/png;base64|data:image\/png;base64[^}]*"first_frame"/,
  );
});

test('an invalid submit is refused in the compatible shape', async () => {
  const openai = await client();
  await assert.rejects(
    openai.videos.create({ model: 'alpha-1.1-t2v', prompt: ' ' }),
    (error: unknown) => error instanceof OpenAI.BadRequestError && /prompt is required/.test(error.message),
  );
  await assert.rejects(
    openai.videos.downloadContent('task_00000000000000000000000000000000'),
    (error: unknown) => error instanceof OpenAI.NotFoundError && error.code === 'task_not_found',
  );
});
