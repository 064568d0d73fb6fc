import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientReply } from '../../relay/call.ts';
import { StoringReply } from './storing-reply.ts';

const BODY = Buffer.from('{"id":"resp_1","output":[]}');
const LAST = Buffer.from(
  'event: response.completed\ndata: {"type":"response.completed","response":{"id":"resp_2"}}\n\n',
);

function watched(remember: (id: string) => Promise<void>): { reply: StoringReply; events: string[] } {
  const events: string[] = [];
  const inner: ClientReply = {
    begun: true,
    gone: false,
    setHeader: (name) => void events.push(`header ${name}`),
    sendWhole: (status) => void events.push(`whole ${status}`),
    beginStream: (type) => void events.push(`begin ${type ?? 'events'}`),
    write: (bytes) => events.push(`write ${String(bytes)}`) > 0,
    onDrain: () => void events.push('drain'),
    end: (bytes) => void events.push(`end ${bytes?.length ?? 0}`),
    forgo: () => void events.push('forgo'),
    breakOff: () => void events.push('break'),
    onGone: () => void events.push('gone'),
  };
  const reply = new StoringReply(inner, async ({ id = '' }) => {
    await remember(id);
    events.push(`remembered ${id}`);
  });
  return { reply, events };
}

test('an answer goes out after it was remembered, whole or at the end of a stream', async () => {
  const { reply, events } = watched(async () => {});
  reply.sendWhole(200, {}, BODY);
  assert.deepEqual(events, []);
  await reply.sent;
  reply.end(LAST);
  await reply.sent;
  assert.deepEqual(events, ['remembered resp_1', 'whole 200', 'remembered resp_2', `end ${LAST.length}`]);
});

test('what has no id goes out at once, and so does everything before the end', async () => {
  const { reply, events } = watched(() => assert.fail('nothing to remember'));
  reply.beginStream();
  reply.beginStream('audio/wav');
  assert.equal(reply.write(Buffer.from('x')), true);
  reply.onDrain(() => {});
  reply.onGone(() => {});
  reply.end(Buffer.from('event: error\ndata: {"type":"error","message":"no"}\n\n'));
  reply.end(undefined);
  reply.breakOff();
  await reply.sent;
  assert.deepEqual(events, ['begin events', 'begin audio/wav', 'write x', 'drain', 'gone', 'end 52', 'end 0', 'break']);
  assert.deepEqual([reply.begun, reply.gone], [true, false]);
});

const CREATED = Buffer.from(
  ': ping\n\nevent: response.created\ndata: {"type":"response.created","response":{"id":"resp_3"}}\n\n',
);

test('a response that outlives its stream is remembered before anything of it is seen, and nothing changes places', async () => {
  const remembered = Promise.withResolvers<void>();
  const { reply, events } = watched((id) => (id === 'resp_3' ? remembered.promise : Promise.resolve()));
  const named: string[] = [];
  reply.onNamed = (id) => void named.push(id);
  assert.equal(reply.write(Buffer.from(': ping\n\n')), true);
  assert.equal(reply.write(CREATED), false, 'the upstream waits meanwhile');
  assert.deepEqual([named, events], [['resp_3'], ['write : ping\n\n']]);
  reply.onDrain(() => void events.push('drained'));
  assert.equal(reply.write(Buffer.from('x')), false);
  reply.end(LAST);
  remembered.resolve();
  await reply.sent;
  const sent = events.slice(1).filter((event) => !event.startsWith('remembered'));
  assert.deepEqual(sent, [`write ${String(CREATED)}`, 'write x', 'drained', `end ${LAST.length}`]);
  assert.ok(events.indexOf('remembered resp_3') < events.indexOf(`write ${String(CREATED)}`));
  assert.equal(reply.write(CREATED), true, 'only the first one is waited for');
});

test('a stream that breaks while its start is being remembered breaks after it', async () => {
  const { reply, events } = watched(async () => {});
  reply.onNamed = () => {};
  reply.write(CREATED);
  reply.breakOff();
  assert.deepEqual(events, []);
  await reply.sent;
  assert.deepEqual(events, ['remembered resp_3', `write ${String(CREATED)}`, 'break']);
});

test('an answer that could not be remembered goes out all the same: it is paid for', async () => {
  const { reply, events } = watched(() => Promise.reject(new Error('the store is away')));
  reply.sendWhole(200, {}, BODY);
  await reply.sent;
  assert.deepEqual(events, ['whole 200']);
});
