// A world whose model makes videos with a stub, and the calls that a client makes about them.
import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import type { Task } from '#contract/tasks.ts';
import { NO_DATABASE_SERVER, type TestGateway } from './gateway.ts';
import { startVideoStub, type VideoStub } from './video-stub.ts';
import { waitUntil } from './wait.ts';
import { type ChannelOptions, makeWorld, suiteGateway, type World, type WorldOptions } from './world.ts';

export const VIDEO_PRICE = { unit: 'video_tokens', generate: '7', video_input: '4.3' } as const;
/** Short, so that tests are. */
export const POLL_MS = '50';

export interface VideoWorld extends World {
  stub: VideoStub;
}

export async function makeVideoWorld(
  gateway: TestGateway,
  t: TestContext,
  { channels = [{}], ...options }: WorldOptions = {},
): Promise<VideoWorld> {
  const stub = await startVideoStub();
  const own = channels.map((channel): ChannelOptions => ({
    provider: 'beta-video',
    base_url: stub.baseUrl,
    ...channel,
  }));
  const world = await makeWorld(gateway, t, { model: { price: VIDEO_PRICE }, ...options, channels: own });
  t.after(() => stub.stop());
  return { ...world, stub };
}

type Caller = Pick<World, 'gateway' | 'key'>;

export function call(
  { gateway, key }: Caller,
  method: string,
  path: string,
  init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
): Promise<Response> {
  return fetch(`${gateway.address}${path}`, {
    ...init,
    method,
    headers: { authorization: `Bearer ${key}`, ...init.headers },
  });
}

export function submit(world: Caller & { model: string }, body: Record<string, unknown> = {}): Promise<Response> {
  return call(world, 'POST', '/v1/video/generations', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: world.model, prompt: 'a cat on a bicycle', ...body }),
  });
}

/** The id of a task that was taken. */
export async function submitted(
  world: Caller & { model: string },
  body: Record<string, unknown> = {},
): Promise<string> {
  const response = await submit(world, body);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const { id } = JSON.parse(text) as { id: string };
  assert.match(id, /^task_[0-9A-Za-z]{32}$/);
  return id;
}

export interface Wrapper {
  code: string;
  message: string;
  data: { task_id: string; status: string; progress: string; result_url: string; fail_reason: string };
}

export async function wrapperOf(world: Caller, id: string): Promise<Wrapper['data']> {
  const response = await call(world, 'GET', `/v1/video/generations/${id}`);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const { code, message, data } = JSON.parse(text) as Wrapper;
  assert.deepEqual([code, message, data.task_id], ['success', '', id]);
  return data;
}

export async function untilStatus(
  world: Caller,
  id: string,
  status: string,
  withinMs = 5_000,
): Promise<Wrapper['data']> {
  let data: Wrapper['data'] | undefined;
  await waitUntil(
    async () => {
      data = await wrapperOf(world, id);
      return data.status === status;
    },
    `the task is not ${status}`,
    withinMs,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${JSON.stringify(data)}`);
  });
  return data as Wrapper['data'];
}

export function taskOf({ gateway }: Pick<World, 'gateway'>, id: string): Promise<Task> {
  return gateway.operator('GET', `/tasks/${id}`);
}

/** A suite on a gateway with each store. Stubs live on loopback, which is not public. */
export function onEveryGateway(suite: (gateway: () => TestGateway) => void): void {
  for (const [name, postgres] of [
    ['SQLite', false],
    ['PostgreSQL', true],
  ] as const) {
    describe(`on ${name}`, { skip: postgres ? NO_DATABASE_SERVER : false, concurrency: 4 }, async () => {
      const gateway = await suiteGateway({
        postgres,
        settings: { TOLLGATE_TASK_POLL_MS: POLL_MS, TOLLGATE_PRIVATE_HOSTS: '127.0.0.1' },
      });
      suite(() => gateway);
    });
  }
}
