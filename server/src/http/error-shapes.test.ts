import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCodes, type ErrorCode } from '../errors/codes.ts';
import { GatewayError, invalidRequest } from '../errors/gateway-error.ts';
import { errorBody, type ErrorShape, shapeOfPath } from './error-shapes.ts';

test('the path alone decides the shape, also where nothing is served (contract 4)', () => {
  const expected: Record<ErrorShape, string[]> = {
    compatible: [
      '/',
      '/v1/chat/completions',
      '/v1/models/x',
      '/v1/videos/1/content',
      '/operator/v1/x',
      '/v1/messagesx',
    ],
    messages: ['/v1/messages', '/v1/messages/count_tokens'],
    'generate-content': [
      '/v1beta/models',
      '/v1beta/models/x:generateContent',
      '/v1beta/nothing',
      '/v1/interactions',
      '/v1/interactions/x',
    ],
    'video-generations': ['/v1/video/generations', '/v1/video/generations/task_1'],
    cohere: ['/v2/chat', '/v2/embed', '/v2/rerank', '/v2/nothing'],
    kling: ['/kling/v1/videos/text2video', '/kling/v1/videos/image2video/task_1', '/kling/other'],
  };
  for (const [shape, paths] of Object.entries(expected))
    for (const path of paths) assert.equal(shapeOfPath(path), shape, path);
});

test('each shape has exactly the fields of the contract', () => {
  const error = invalidRequest('prompt is required', 'prompt');
  const compatible = {
    message: 'prompt is required',
    type: 'invalid_request_error',
    param: 'prompt',
    code: 'invalid_request',
  };
  assert.deepEqual(errorBody('compatible', error, 'req_1'), { error: compatible });
  assert.deepEqual(errorBody('messages', error, 'req_1'), {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'prompt is required' },
    request_id: 'req_1',
  });
  assert.deepEqual(errorBody('generate-content', error, 'req_1'), {
    error: { code: 400, message: 'prompt is required', status: 'INVALID_ARGUMENT' },
  });
  assert.deepEqual(errorBody('video-generations', error, 'req_1'), {
    code: 'invalid_request',
    message: 'prompt is required',
    data: null,
    error: compatible,
  });
  assert.deepEqual(errorBody('cohere', error, 'req_1'), {
    id: 'req_1',
    message: 'prompt is required',
    error: compatible,
  });
});

test('param is null when no field is to blame, and an upstream’s own code and status are handed on', () => {
  assert.deepEqual(errorBody('compatible', new GatewayError('not_found'), 'r'), {
    error: { message: errorCodes.not_found.message, type: 'not_found_error', param: null, code: 'not_found' },
  });
  const refused = new GatewayError('upstream_rejected', {
    status: 422,
    upstreamCode: 'too_long',
    message: 'Too long.',
  });
  assert.deepEqual(errorBody('compatible', refused, 'r'), {
    error: { message: 'Too long.', type: 'invalid_request_error', param: null, code: 'too_long' },
  });
  assert.deepEqual(errorBody('generate-content', refused, 'r'), {
    error: { code: 422, message: 'Too long.', status: 'INVALID_ARGUMENT' },
  });
});

const NATIVE_WORDS: [ErrorCode, messages: string, google: string][] = [
  ['invalid_request', 'invalid_request_error', 'INVALID_ARGUMENT'],
  ['invalid_api_key', 'authentication_error', 'UNAUTHENTICATED'],
  ['model_not_allowed', 'permission_error', 'PERMISSION_DENIED'],
  ['model_not_found', 'not_found_error', 'NOT_FOUND'],
  ['body_too_large', 'request_too_large', 'INVALID_ARGUMENT'],
  ['rate_limit_exceeded', 'rate_limit_error', 'RESOURCE_EXHAUSTED'],
  ['internal_error', 'api_error', 'INTERNAL'],
  ['upstream_error', 'api_error', 'UNAVAILABLE'],
  ['overloaded', 'overloaded_error', 'UNAVAILABLE'],
  ['upstream_timeout', 'timeout_error', 'DEADLINE_EXCEEDED'],
];

test('the native shapes use the words their clients know', () => {
  for (const [code, messages, google] of NATIVE_WORDS) {
    const error = new GatewayError(code);
    assert.partialDeepStrictEqual(errorBody('messages', error, 'r'), { error: { type: messages } }, code);
    assert.partialDeepStrictEqual(
      errorBody('generate-content', error, 'r'),
      { error: { status: google, code: error.status } },
      code,
    );
  }
});

test('every code has words in every shape', () => {
  for (const code of Object.keys(errorCodes) as ErrorCode[]) {
    for (const shape of ['compatible', 'messages', 'generate-content', 'video-generations'] as const) {
      const text = JSON.stringify(errorBody(shape, new GatewayError(code), 'r'));
      assert.ok(text.includes(JSON.stringify(errorCodes[code].message)) && !text.includes('undefined'), text);
    }
  }
});
