import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alphaVideo } from '../../providers/alpha-video/provider.ts';
import { betaVideo } from '../../providers/beta-video/provider.ts';
import { UpstreamError } from '../../providers/upstream-error.ts';
import type { VideoProvider } from '../../providers/video-provider.ts';
import { readUpstreamId } from './read-upstream-id.ts';
import { certainlyNotAccepted } from './certainly-not-accepted.ts';

const [alpha, beta] = [alphaVideo.video as VideoProvider, betaVideo.video as VideoProvider];

function outcome(video: VideoProvider, answer: unknown): unknown[] {
  try {
    return [readUpstreamId(video, Buffer.from(JSON.stringify(answer)), { status: 200 })];
  } catch (error) {
    assert.ok(error instanceof UpstreamError);
    return [error.errorClass, error.facts.status, certainlyNotAccepted(error)];
  }
}

test('an answer of success that carries an error is the refusal that its code would be elsewhere', () => {
  const golden: [string, string, number][] = [
    ['InvalidParameter', 'refused', 400],
    ['DataInspectionFailed', 'refused', 400],
    ['Throttling.RateQuota', 'limited', 429],
    ['InvalidApiKey', 'unauthorised', 401],
    ['AccessDenied.Unpurchased', 'unauthorised', 403],
    ['Arrearage', 'unauthorised', 402],
    ['InternalError.Algo', 'overloaded', 500],
  ];
  for (const [code, errorClass, status] of golden) {
    assert.deepEqual(outcome(alpha, { code, message: 'no', request_id: 'r' }), [errorClass, status, true], code);
    assert.deepEqual(outcome(beta, { error: { code, message: 'no' } }), [errorClass, status, true], code);
  }
});

test('an answer that may hide a task is no refusal', () => {
  const unknown = ['malformed', 200, false];
  assert.deepEqual(outcome(alpha, { code: 'InternalError', output: { task_id: 't' } }), unknown);
  for (const answer of [{}, [], 'ok', { error: {} }, { id: 'a\0b' }]) assert.deepEqual(outcome(beta, answer), unknown);
  assert.deepEqual(outcome(beta, { id: 'cgt-1', error: { code: 'x' } }), ['cgt-1']);
});
