import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UpstreamCall } from './call-upstream.ts';
import { UpstreamError } from './upstream-error.ts';
import { Cancellation } from './cancellation.ts';

const left = new UpstreamError('aborted', 'the client left');

test('a follower is called once, with the first reason', () => {
  const cancellation = new Cancellation();
  const calls: UpstreamError[] = [];
  cancellation.follow((reason) => calls.push(reason));
  cancellation.cancel(left);
  cancellation.cancel(new UpstreamError('timed-out', 'later'));
  assert.deepEqual(calls, [left]);
  assert.equal(cancellation.reason, left);
});

test('a follower that comes after the cancellation is called at once', () => {
  const cancellation = new Cancellation();
  cancellation.cancel(left);
  const calls: UpstreamError[] = [];
  cancellation.follow((reason) => calls.push(reason));
  assert.deepEqual(calls, [left]);
});

test('only the latest follower is called: each attempt replaces the one before', () => {
  const cancellation = new Cancellation();
  const calls: string[] = [];
  cancellation.follow(() => calls.push('first'));
  cancellation.follow(() => calls.push('second'));
  cancellation.cancel(left);
  assert.deepEqual(calls, ['second']);
});

test('one deadline holds for all attempts: later limits do not move it (S-06)', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const cancellation = new Cancellation();
  cancellation.limit(1_000);
  t.mock.timers.tick(900);
  cancellation.limit(1_000);
  const calls: string[] = [];
  cancellation.follow(({ errorClass }) => calls.push(errorClass));
  t.mock.timers.tick(99);
  assert.deepEqual(calls, []);
  t.mock.timers.tick(1);
  assert.deepEqual(calls, ['timed-out']);
});

test('cleared, it neither fires nor calls anybody', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const cancellation = new Cancellation();
  let calls = 0;
  cancellation.follow(() => calls++);
  cancellation.limit(1_000);
  cancellation.clear();
  t.mock.timers.tick(5_000);
  assert.equal(cancellation.reason, undefined);
  cancellation.cancel(left);
  assert.equal(calls, 0);
});

test('a request that is over keeps nothing of its last call but whether it was sent', () => {
  const cancellation = new Cancellation();
  assert.equal(cancellation.isSent, false);
  cancellation.call = { isSent: true } as UpstreamCall;
  cancellation.clear();
  assert.deepEqual([cancellation.call, cancellation.isSent], [undefined, true]);
});
