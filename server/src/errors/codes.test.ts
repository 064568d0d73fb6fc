import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { errorCodes } from './codes.ts';
import { GatewayError, invalidRequest } from './gateway-error.ts';

/** Contract section 4. */
const CONTRACT: Record<number, string[]> = {
  400: ['invalid_request'],
  401: ['missing_api_key', 'invalid_api_key', 'token_disabled', 'token_expired'],
  402: ['insufficient_quota'],
  403: ['ip_not_allowed', 'model_not_allowed', 'group_not_allowed', 'account_disabled'],
  404: ['not_found', 'model_not_found', 'task_not_found'],
  405: ['method_not_allowed'],
  409: ['request_in_progress', 'task_not_finished'],
  413: ['body_too_large'],
  415: ['unsupported_media_type'],
  422: ['idempotency_mismatch'],
  429: ['rate_limit_exceeded', 'upstream_rate_limited'],
  502: ['upstream_error'],
  503: ['no_channel_available', 'overloaded'],
  504: ['upstream_timeout'],
};

describe('the table of codes', () => {
  const table = Object.entries(errorCodes);

  test('has every code of the contract with its status', () => {
    const statuses = new Map(table.map(([code, { status }]) => [code, status]));
    for (const [status, codes] of Object.entries(CONTRACT))
      for (const code of codes) assert.equal(statuses.get(code), Number(status), code);
  });

  test('says of each code a sentence and a type', () => {
    for (const [code, { type, message }] of table) {
      assert.match(code, /^[a-z]+(?:_[a-z]+)*$/u);
      assert.match(type, /^[a-z_]+$/u, code);
      assert.match(message, /^[A-Z].*\.$/u, code);
    }
  });

  test('a rate limit tells to reduce concurrency and retry with exponential backoff (spec 7, contract 4)', () => {
    for (const code of ['rate_limit_exceeded', 'upstream_rate_limited'] as const)
      assert.match(errorCodes[code].message, /reduce concurrency and retry with exponential backoff/iu);
  });

  const page = fileURLToPath(new URL('../../../docs/errors.md', import.meta.url));
  const skip = existsSync(page) ? false : 'docs/errors.md does not exist yet';
  test('is explained in docs/errors.md: the same codes, none missing and none too many', { skip }, () => {
    const text = readFileSync(page, 'utf8');
    const explained = [...text.matchAll(/^(?:\|\s*|#+\s+)`([a-z_]+)`/gmu)].map(([, code]) => String(code));
    assert.deepEqual([...new Set(explained)].sort(), Object.keys(errorCodes).sort());
  });
});

describe('an error that becomes an answer', () => {
  test('says the sentence of its code, or its own', () => {
    assert.equal(new GatewayError('not_found').message, errorCodes.not_found.message);
    assert.equal(new GatewayError('not_found', { message: 'No such task.' }).message, 'No such task.');
  });

  test('has status, type and code of the table, or those of an upstream that refused', () => {
    const own = new GatewayError('overloaded');
    assert.deepEqual([own.status, own.type, own.publicCode], [503, 'server_error', 'overloaded']);
    const refused = new GatewayError('upstream_rejected', { status: 422, upstreamCode: 'too_long' });
    assert.deepEqual([refused.status, refused.type, refused.publicCode], [422, 'invalid_request_error', 'too_long']);
  });

  test('keeps what caused it, and an invalid request names its field', () => {
    const cause = new Error('why');
    assert.equal(new GatewayError('internal_error', { cause }).cause, cause);
    assert.equal('cause' in new GatewayError('internal_error'), false);
    const invalid = invalidRequest('prompt is required', 'prompt');
    assert.deepEqual(
      [invalid.code, invalid.message, invalid.details.param],
      ['invalid_request', 'prompt is required', 'prompt'],
    );
  });
});
