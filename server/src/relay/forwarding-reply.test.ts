import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CopyingReply } from '../http/bodies/copying-reply.ts';
import { BodyCopy } from '../http/bodies/body-copy.ts';
import type { BodyReply, ClientReply } from './call.ts';
import { ForwardingReply } from './forwarding-reply.ts';

function recorded(): { reply: BodyReply; calls: unknown[][]; state: { begun: boolean; gone: boolean } } {
  const calls: unknown[][] = [];
  const state = { begun: false, gone: false };
  const note =
    (name: string) =>
    (...values: unknown[]): void =>
      void calls.push([name, ...values]);
  const reply: BodyReply = {
    get begun() {
      return state.begun;
    },
    get gone() {
      return state.gone;
    },
    setHeader: note('setHeader'),
    sendWhole: note('sendWhole'),
    beginStream: note('beginStream'),
    beginBody: note('beginBody'),
    write: (bytes) => calls.push(['write', bytes]) < 0,
    onDrain: note('onDrain'),
    end: note('end'),
    forgo: note('forgo'),
    breakOff: note('breakOff'),
    onGone: note('onGone'),
  };
  return { reply, calls, state };
}

/** Every verb of a reply, once. */
function useAll(reply: ClientReply): unknown[][] {
  const bytes = Buffer.from('x');
  const listener = (): void => {};
  reply.setHeader('a', 'b');
  reply.sendWhole(201, { c: 'd' }, bytes);
  reply.beginStream('text/plain');
  assert.equal(reply.write(bytes), false, 'what the client can take is passed back');
  reply.onDrain(listener);
  reply.end(bytes);
  reply.forgo();
  reply.breakOff();
  reply.onGone(listener);
  return [
    ['setHeader', 'a', 'b'],
    ['sendWhole', 201, { c: 'd' }, bytes],
    ['beginStream', 'text/plain'],
    ['write', bytes],
    ['onDrain', listener],
    ['end', bytes],
    ['forgo'],
    ['breakOff'],
    ['onGone', listener],
  ];
}

test('a reply inside another hands on every call as it is, and says what the inner one says', () => {
  for (const make of [
    (inner: BodyReply) => new ForwardingReply(inner),
    (inner: BodyReply) => new CopyingReply(inner, new BodyCopy()),
  ]) {
    const { reply: inner, calls, state } = recorded();
    const reply = make(inner);
    assert.deepEqual(calls, []);
    assert.deepEqual([reply.begun, reply.gone], [false, false]);
    Object.assign(state, { begun: true, gone: true });
    assert.deepEqual([reply.begun, reply.gone], [true, true]);
    const expected = useAll(reply);
    assert.deepEqual(calls, expected);
  }
});
