import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '../../testing/wait-until.ts';
import { startSandbox } from '../server.ts';
import { call } from '../test-client.ts';

type Reported = { id: string; status: string; content?: { video_url: string } };

const sandbox = await startSandbox();
let reported: Reported[] = [];
let answer = 200;
const listener = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    reported.push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Reported);
    response.writeHead(answer).end();
  });
});
listener.listen(0, '127.0.0.1');
await once(listener, 'listening');
const address = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/called`;
after(async () => {
  listener.close();
  await sandbox.stop();
});
beforeEach(() => {
  reported = [];
  answer = 200;
});

const submit = async (prompt: string, callbackUrl = address): Promise<string> => {
  const content = [{ type: 'text', text: `${prompt} [[task-time 90]]` }];
  const given = { model: 'doubao-seedance-2-0-260128', content, callback_url: callbackUrl };
  const got = await call(sandbox, given, { provider: 'beta-video', path: '/contents/generations/tasks' });
  return (JSON.parse(got.text) as { id: string }).id;
};
/** Sorted, because each comes on a connection of its own. */
const waitForCalls = async (count: number): Promise<string[]> => {
  await waitUntil(() => reported.length >= count, 'nobody calls back');
  await pause(50); // nobody calls once more
  return reported.map(({ status }) => status).toSorted();
};

test('each change of state is posted as a poll would tell it', async () => {
  const id = await submit('x');
  assert.deepEqual(await waitForCalls(3), ['queued', 'running', 'succeeded']);
  assert.ok(reported.every((one) => one.id === id));
  assert.match(reported.find(({ status }) => status === 'succeeded')?.content?.video_url ?? '', /\/results\//);
  assert.equal(sandbox.tasks().find((task) => task.id === id)?.callbacks, 3);
});

test('callbacks can come twice', async () => {
  await submit('[[callback-twice]]');
  const states = await waitForCalls(6);
  assert.deepEqual(states, ['queued', 'queued', 'running', 'running', 'succeeded', 'succeeded']);
});

test('a forged callback claims success while the task waits', async () => {
  await submit('[[callback-forged]] [[task-queued]]');
  assert.deepEqual(await waitForCalls(2), ['queued', 'succeeded']);
});

test('an end that is not acknowledged is sent three times', async () => {
  answer = 500;
  await submit('[[task-blocked]]');
  assert.deepEqual(await waitForCalls(5), ['failed', 'failed', 'failed', 'queued', 'running']);
});

test('only addresses of this machine are called', async () => {
  const id = await submit('x', 'http://callback.invalid/called');
  const other = await submit('x', 'http://10.0.0.1/called');
  await pause(150);
  for (const task of sandbox.tasks()) if ([id, other].includes(task.id)) assert.equal(task.callbacks, 0);
});

test('inside of a gateway only hosts that its operator named are called', async (t) => {
  const named = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  for (const [callbackHosts, calls] of [
    [[], 0],
    [['127.0.0.1:1'], 0],
    [[named], 3],
  ] as const) {
    const inside = await startSandbox({ callbackHosts });
    t.after(() => inside.stop());
    reported = [];
    const content = [{ type: 'text', text: 'x [[task-time 60]]' }];
    const given = { model: 'doubao-seedance-2-0-260128', content, callback_url: address };
    await call(inside, given, { provider: 'beta-video', path: '/contents/generations/tasks' });
    await pause(250);
    assert.equal(reported.length, calls);
  }
});
