import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UpstreamError } from '../providers/upstream-error.ts';
import { Cutoff } from './cutoff.ts';

const left = new UpstreamError('aborted', 'the client left');

test('whoever follows is told once, with the first reason', () => {
  const cutoff = new Cutoff();
  const heard: UpstreamError[] = [];
  cutoff.follow((reason) => heard.push(reason));
  cutoff.cut(left);
  cutoff.cut(new UpstreamError('timed-out', 'later'));
  assert.deepEqual(heard, [left]);
  assert.equal(cutoff.reason, left);
});

test('whoever follows after the cut is told at once', () => {
  const cutoff = new Cutoff();
  cutoff.cut(left);
  const heard: UpstreamError[] = [];
  cutoff.follow((reason) => heard.push(reason));
  assert.deepEqual(heard, [left]);
});

test('only the latest follower is told: each attempt takes the place of the one before', () => {
  const cutoff = new Cutoff();
  const heard: string[] = [];
  cutoff.follow(() => heard.push('first'));
  cutoff.follow(() => heard.push('second'));
  cutoff.cut(left);
  assert.deepEqual(heard, ['second']);
});

test('one deadline stands over all attempts: later limits do not move it (S-06)', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const cutoff = new Cutoff();
  cutoff.limit(1_000);
  t.mock.timers.tick(900);
  cutoff.limit(1_000);
  const heard: string[] = [];
  cutoff.follow(({ errorClass }) => heard.push(errorClass));
  t.mock.timers.tick(99);
  assert.deepEqual(heard, []);
  t.mock.timers.tick(1);
  assert.deepEqual(heard, ['timed-out']);
});

test('cleared, it neither fires nor tells anybody', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const cutoff = new Cutoff();
  let heard = 0;
  cutoff.follow(() => heard++);
  cutoff.limit(1_000);
  cutoff.clear();
  t.mock.timers.tick(5_000);
  assert.equal(cutoff.reason, undefined);
  cutoff.cut(left);
  assert.equal(heard, 0);
});
