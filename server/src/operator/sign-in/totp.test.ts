import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totpCode } from '../testing/totp-code.ts';
import { findTotpStep, makeTotpSecret, totpUri } from './totp.ts';

/** "12345678901234567890" of RFC 6238, appendix B, in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test('codes are those of RFC 6238, appendix B', () => {
  const vectors: [at: number, code: string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ];
  for (const [at, code] of vectors)
    assert.equal(findTotpStep(SECRET, code, { at, lastStep: 0 }), Math.floor(at / 30), String(at));
});

test('a code is good one step before and after its time, once, and never when a later one was used', () => {
  const at = 1_111_111_111;
  const step = Math.floor(at / 30);
  const find = (code: string, lastStep = 0, seconds = at) => findTotpStep(SECRET, code, { at: seconds, lastStep });
  assert.equal(find('050471'), step);
  assert.equal(find('081804'), step - 1);
  assert.equal(find(totpCode(SECRET, step + 1)), step + 1);
  assert.equal(find(totpCode(SECRET, step - 2)), undefined);
  assert.equal(find(totpCode(SECRET, step + 2)), undefined);
  assert.equal(find('050471', step), undefined);
  assert.equal(find('081804', step), undefined);
  for (const wrong of ['', '05047', '0504711', '050472', 'abcdef', '０５０４７１'])
    assert.equal(find(wrong), undefined, wrong);
});

test('a secret has 160 bits, and the address of its QR code keeps any name inert', () => {
  assert.match(makeTotpSecret(), /^[A-Z2-7]{32}$/);
  assert.notEqual(makeTotpSecret(), makeTotpSecret());
  const uri = new URL(totpUri(SECRET, 'a&secret=b?/é'));
  assert.deepEqual([uri.searchParams.get('secret'), uri.searchParams.getAll('secret').length], [SECRET, 1]);
  assert.deepEqual([uri.protocol, uri.searchParams.get('issuer')], ['otpauth:', 'Tollgate']);
});
