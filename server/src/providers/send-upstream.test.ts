import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UpstreamCall, UpstreamClient } from './call-upstream.ts';
import type { UpstreamRequest } from './upstream-request.ts';
import { UpstreamError } from './upstream-error.ts';
import { CollectedAnswer, type PassedOn } from './collect-answer.ts';
import { Cancellation } from './cancellation.ts';
import { sendUpstream } from './send-upstream.ts';

const limits = { connectMs: 1_000, firstByteMs: 1_000, idleMs: 1_000 };
const request: UpstreamRequest = {
  origin: 'http://up.example',
  path: '/',
  method: 'GET',
  headers: {},
  body: null,
  limits,
};

function setUp() {
  const cancellation = new Cancellation();
  const sent: UpstreamRequest[] = [];
  const aborted: UpstreamError[] = [];
  const call = { abort: (error: UpstreamError) => void aborted.push(error) } as UpstreamCall;
  const client = {
    call(one: UpstreamRequest) {
      sent.push(one);
      return call;
    },
  } as unknown as UpstreamClient;
  const failed: UpstreamError[] = [];
  const stream: PassedOn = { contentType: '', call: undefined, onStart() {}, onData() {}, onEnd() {}, onFail() {} };
  const answer = new CollectedAnswer({
    readComplaint: () => ({ message: undefined, code: undefined, param: undefined }),
    stream,
    expects: '',
    resolve: () => {},
    reject: (error) => void failed.push(error),
  });
  return {
    sending: { client, cancellation, answer, totalMs: 60_000 },
    cancellation,
    sent,
    aborted,
    failed,
    stream,
    call,
  };
}

const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('a signed request is sent before the function returns', () => {
  const { sending, cancellation, sent, aborted, stream, call } = setUp();
  sendUpstream(sending, request);
  assert.deepEqual([sent, cancellation.call, stream.call], [[request], call, call]);
  const reason = new UpstreamError('aborted', 'the client left');
  cancellation.cancel(reason);
  assert.deepEqual(aborted, [reason]);
  cancellation.clear();
});

test('one that waits for its signature is sent when it has it', async () => {
  const { sending, cancellation, sent } = setUp();
  sendUpstream(sending, Promise.resolve(request));
  assert.deepEqual(sent, []);
  await settled();
  assert.deepEqual(sent, [request]);
  cancellation.clear();
});

test('a caller who leaves while it waits is not kept, and nothing is sent', async () => {
  const { sending, cancellation, sent, failed } = setUp();
  const waiting = Promise.withResolvers<UpstreamRequest>();
  sendUpstream(sending, waiting.promise);
  cancellation.cancel(new UpstreamError('aborted', 'the client left'));
  assert.deepEqual(
    failed.map(({ errorClass, facts }) => [errorClass, facts.notSent]),
    [['aborted', true]],
  );
  waiting.resolve(request);
  await settled();
  assert.deepEqual([sent, failed.length], [[], 1]);
  cancellation.clear();
});

test('a signature that fails is the failure of the attempt', async () => {
  const { sending, cancellation, sent, failed } = setUp();
  const error = new UpstreamError('unauthorised', 'the request cannot be signed');
  sendUpstream(sending, Promise.reject(error));
  await settled();
  assert.deepEqual([sent, failed], [[], [error]]);
  cancellation.clear();
});
