import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cors } from './cors.ts';

const page = { origin: 'https://app.example' };
const asking = {
  ...page,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization, x-stainless-lang',
};

test('every page may by default, under /v1 and /v1beta only, and never with credentials (contract-2 7)', () => {
  const cors = new Cors('*');
  for (const path of ['/v1/models', '/v1beta/models', '/v1/nothing', '/v1']) {
    const headers = cors.answerHeaders(path, page);
    assert.equal(headers?.['access-control-allow-origin'], '*', path);
    assert.match(headers?.['access-control-expose-headers'] ?? '', /x-request-id.*x-ratelimit-remaining-requests/);
    assert.ok(!('access-control-allow-credentials' in headers));
  }
  for (const path of ['/operator/v1/tokens', '/console', '/portal', '/metrics', '/v10', '/v1betax', '/'])
    assert.equal(cors.answerHeaders(path, page), undefined, path);
  assert.equal(cors.answerHeaders('/v1/models', {}), undefined, 'no page asked');
});

test('a list names the pages that may, and off none', () => {
  const cors = new Cors(['https://app.example']);
  assert.equal(cors.answerHeaders('/v1/models', page)?.['access-control-allow-origin'], 'https://app.example');
  assert.deepEqual(cors.answerHeaders('/v1/models', { origin: 'https://other.example' }), { vary: 'Origin' });
  assert.deepEqual(cors.preflight('/v1/models', { ...asking, origin: 'https://other.example' }, []), {
    status: 204,
    headers: { vary: 'Origin' },
  });
  assert.equal(new Cors([]).answerHeaders('/v1/models', page), undefined);
  assert.equal(new Cors([]).preflight('/v1/models', asking, ['GET']), undefined);
});

test('a preflight echoes the headers that are asked for and names all methods of the path', () => {
  const { headers } = new Cors('*').preflight('/v1/videos/x', asking, ['DELETE', 'GET']) ?? assert.fail();
  assert.equal(headers['access-control-allow-headers'], 'authorization, x-stainless-lang');
  assert.equal(headers['access-control-allow-methods'], 'DELETE, GET');
  assert.equal(headers['access-control-max-age'], '86400');
  assert.equal(new Cors('*').preflight('/v1/models', page, ['GET']), undefined, 'a plain OPTIONS is no preflight');
  const odd = { ...asking, 'access-control-request-headers': 'a b' };
  assert.ok(!('access-control-allow-headers' in (new Cors('*').preflight('/v1/x', odd, [])?.headers ?? {})));
});
