// The sides of Runway, Luma, Gemini Omni, Veo and the task style through the vendors' own client libraries: proof that the
// sandbox is faithful. Kling, MiniMax and Vidu publish no library for JavaScript, and xAI none for its videos.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { GoogleGenAI } from '@google/genai';
import RunwayML from '@runwayml/sdk';
import { LumaAI } from 'lumaai';
import OpenAI from 'openai';
import { startSandbox } from '../server.ts';

const sandbox = await startSandbox();
after(() => sandbox.stop());
const runway = new RunwayML({ apiKey: 'sandbox', baseURL: sandbox.baseUrl('runway'), maxRetries: 0 });
const luma = new LumaAI({
  authToken: 'sandbox',
  baseURL: `${sandbox.baseUrl('luma')}/dream-machine/v1`,
  maxRetries: 0,
});

test('Runway: text and picture to video, cost, deletion and refusals by its own library', async () => {
  const made = await runway.textToVideo.create({
    model: 'gen4.5',
    promptText: 'a cat [[task-time 0]]',
    ratio: '1280:720',
    duration: 4,
  });
  const task = await runway.tasks.retrieve(made.id);
  assert.equal(task.status, 'SUCCEEDED');
  assert.ok(task.status === 'SUCCEEDED');
  assert.match(task.output[0] ?? '', /\.mp4\?/);
  assert.equal(task.cost.credits, 48);
  await runway.tasks.delete(made.id);
  await assert.rejects(async () => runway.tasks.retrieve(made.id), RunwayML.NotFoundError);

  const pictured = await runway.imageToVideo.create({
    model: 'gen4.5',
    promptText: 'it runs [[task-blocked]] [[task-time 0]]',
    promptImage: 'https://media.example/cat.png',
    ratio: '720:1280',
    duration: 5,
  });
  const failed = await runway.tasks.retrieve(pictured.id);
  assert.ok(failed.status === 'FAILED');
  assert.match(failed.failureCode ?? '', /^SAFETY\./);
  const poor = { model: 'gen4.5', promptText: '[[no-balance]]', ratio: '1280:720', duration: 4 } as const;
  await assert.rejects(async () => runway.textToVideo.create(poor), RunwayML.BadRequestError);
  const busy = { ...poor, promptText: '[[rate-limited]]' };
  await assert.rejects(async () => runway.textToVideo.create(busy), RunwayML.RateLimitError);
});

test('Luma: a generation of Dream Machine by its own library', async () => {
  const made = await luma.generations.video.create({
    model: 'ray-2',
    prompt: 'a lake [[task-time 0]]',
    duration: '5s',
    resolution: '720p',
    aspect_ratio: '16:9',
    keyframes: { frame0: { type: 'image', url: 'https://media.example/lake.png' } },
  });
  assert.equal(made.state, 'queued');
  const done = await luma.generations.get(made.id ?? '');
  assert.equal(done.state, 'completed');
  assert.match(done.assets?.video ?? '', /\.mp4\?/);
  await luma.generations.delete(made.id ?? '');
  await assert.rejects(luma.generations.get(made.id ?? ''), LumaAI.NotFoundError);
  await assert.rejects(
    luma.generations.video.create({ model: 'ray-2', prompt: '[[fail 401]]' }),
    LumaAI.AuthenticationError,
  );
});

test('Gemini Omni: an interaction in the background by its own library', async () => {
  const google = new GoogleGenAI({ apiKey: 'sandbox', httpOptions: { baseUrl: sandbox.baseUrl('gemini-video') } });
  const made = await google.interactions.create({
    model: 'gemini-omni-1.1-flash',
    input: 'a river [[task-time 0]]',
    response_modalities: ['video'],
    background: true,
    response_format: { type: 'video', duration: '4s', aspect_ratio: '16:9' },
  });
  const done = await google.interactions.get(made.id);
  assert.equal(done.status, 'completed');
  assert.equal(done.output_video?.mime_type, 'video/mp4');
});

test('Veo: a video of Vertex AI by its own library, in express mode', async () => {
  const httpOptions = { baseUrl: sandbox.baseUrl('vertex-video'), apiVersion: 'v1' };
  const google = new GoogleGenAI({ vertexai: true, apiKey: 'sandbox', httpOptions });
  const made = await google.models.generateVideos({
    model: 'veo-3.1-generate-001',
    source: { prompt: 'a river [[task-polls 2]]' },
    config: { durationSeconds: 4, aspectRatio: '16:9', numberOfVideos: 1 },
  });
  assert.notEqual(made.done, true);
  const running = await google.operations.getVideosOperation({ operation: made });
  assert.notEqual(running.done, true);
  const done = await google.operations.getVideosOperation({ operation: running });
  assert.equal(done.done, true);
  const [video] = done.response?.generatedVideos ?? [];
  assert.equal(Buffer.from(video?.video?.videoBytes ?? '', 'base64').toString('latin1', 4, 8), 'ftyp');

  const blocked = await google.models.generateVideos({
    model: 'veo-3.1-generate-001',
    source: { prompt: 'a river [[task-blocked]] [[task-time 0]]' },
  });
  const filtered = await google.operations.getVideosOperation({ operation: blocked });
  assert.equal(filtered.response?.raiMediaFilteredCount, 1);
  assert.deepEqual(filtered.response?.generatedVideos ?? [], []);
});

test('the task style: create, read, list, download and delete by its own library', async () => {
  const openai = new OpenAI({ apiKey: 'sandbox', baseURL: sandbox.baseUrl('openai'), maxRetries: 0 });
  const made = await openai.videos.create({ model: 'sora-2', prompt: 'a lake [[task-time 0]]', seconds: '4' });
  assert.equal(made.object, 'video');
  const done = await openai.videos.retrieve(made.id);
  assert.equal(done.status, 'completed');
  assert.ok((await openai.videos.list()).data.some(({ id }) => id === made.id));
  const content = await openai.videos.downloadContent(made.id);
  assert.equal(Buffer.from(await content.arrayBuffer()).toString('latin1', 4, 8), 'ftyp');
  assert.equal((await openai.videos.delete(made.id)).deleted, true);
  await assert.rejects(openai.videos.retrieve(made.id), OpenAI.NotFoundError);
});
