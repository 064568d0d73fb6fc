import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  certainlyNotAccepted,
  classOfFailure,
  classOfStatus,
  readRetryAfter,
  UpstreamError,
} from './upstream-error.ts';

const NOW = Date.UTC(2026, 0, 1);

test('success has no class; every other status has one', () => {
  for (let status = 100; status < 600; status++)
    assert.equal(classOfStatus(status) === undefined, status >= 200 && status < 300, String(status));
});

test('the class of a status decides between stopping, another key and another channel (contract 4)', () => {
  const expected: Record<string, number[]> = {
    refused: [400, 404, 413, 422, 405, 415],
    unauthorised: [401, 402, 403],
    limited: [429],
    'timed-out': [408, 504],
    overloaded: [500, 502, 503, 529, 599],
    malformed: [100, 301, 302, 307, 304],
  };
  for (const [name, statuses] of Object.entries(expected))
    for (const status of statuses) assert.equal(classOfStatus(status), name, String(status));
});

test('the class of a broken connection', () => {
  for (const code of ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])
    assert.equal(classOfFailure(code), 'timed-out', code);
  for (const code of ['HPE_INVALID_CONSTANT', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'UND_ERR_HEADERS_OVERFLOW'])
    assert.equal(classOfFailure(code), 'malformed', code);
  for (const code of [
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOTFOUND',
    'EPIPE',
    'UND_ERR_SOCKET',
    'CERT_HAS_EXPIRED',
    undefined,
  ])
    assert.equal(classOfFailure(code), 'unreachable', code);
});

test('Retry-After is read as seconds or as a date, rounded up, at most an hour', () => {
  const date = (ms: number): string => new Date(NOW + ms).toUTCString();
  const cases: [string | string[] | undefined, number | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['soon', undefined],
    ['0', 0],
    ['7', 7],
    ['1.2', 2],
    ['999999999', 3600],
    [date(5_000), 5],
    [date(-5_000), 0],
    [date(86_400_000), 3600],
    [['3', '9'], 3],
    [[], undefined],
  ];
  for (const [header, seconds] of cases) assert.equal(readRetryAfter(header, NOW), seconds, JSON.stringify(header));
});

test('the error keeps its class, its facts and its cause', () => {
  const cause = new Error('socket');
  const error = new UpstreamError('limited', 'the upstream answered 429', { status: 429, retryAfter: 3, cause });
  assert.equal(error.errorClass, 'limited');
  assert.equal(error.name, 'UpstreamError');
  assert.equal(error.facts.retryAfter, 3);
  assert.equal(error.cause, cause);
  assert.equal('cause' in new UpstreamError('refused', 'no'), false);
});

test('a submit may go to another channel only when the first surely did not take it (contract 5, promise V-05)', () => {
  const failure = (...[errorClass, facts]: [UpstreamError['errorClass'], UpstreamError['facts']?]) =>
    certainlyNotAccepted(new UpstreamError(errorClass, 'x', facts));
  const broke = (code: string) => ({ cause: Object.assign(new Error(code), { code }) });
  for (const sure of [
    failure('limited', { status: 429 }),
    failure('unauthorised', { status: 401 }),
    failure('refused', { status: 400 }),
    failure('overloaded', { status: 500, upstreamMessage: 'overloaded' }),
    failure('overloaded', { status: 503, upstreamCode: 'ServerOverloaded' }),
    failure('unreachable', broke('ECONNREFUSED')),
    failure('unreachable', broke('ENOTFOUND')),
    failure('timed-out', broke('UND_ERR_CONNECT_TIMEOUT')),
    failure('unreachable', broke('DEPTH_ZERO_SELF_SIGNED_CERT')),
  ])
    assert.equal(sure, true);
  for (const unsure of [
    failure('overloaded', { status: 502 }),
    failure('timed-out'),
    failure('timed-out', { status: 504 }),
    failure('unreachable', broke('ECONNRESET')),
    failure('unreachable', broke('UND_ERR_SOCKET')),
    failure('malformed', { status: 200 }),
    failure('aborted'),
  ])
    assert.equal(unsure, false);
});
