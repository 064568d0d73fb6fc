import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UpstreamError } from '../providers/upstream-error.ts';
import { certainlyNotAccepted } from './refusal-in.ts';

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
