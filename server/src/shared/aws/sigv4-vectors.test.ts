// The published test suite of AWS Signature Version 4 (aws-sig-v4-test-suite), as far as its requests can go over a wire.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPayload, signAws } from './sigv4.ts';

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const scope = { region: 'us-east-1', service: 'service' };
const at = new Date('2015-08-30T12:36:00Z');
const ROOT = 'https://example.amazonaws.com/';

interface Vector {
  name: string;
  method?: string;
  url?: string;
  headers?: Record<string, string>;
  body?: string;
  names?: string;
  signature: string;
}

const vectors: readonly Vector[] = [
  { name: 'get-vanilla', signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31' },
  {
    name: 'get-vanilla-query-order-key-case',
    url: `${ROOT}?Param2=value2&Param1=value1`,
    signature: 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  },
  {
    name: 'get-vanilla-empty-query-key',
    url: `${ROOT}?Param1=value1`,
    signature: 'a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb',
  },
  {
    name: 'get-vanilla-utf8-query',
    url: `${ROOT}?ሴ=bar`,
    signature: '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04',
  },
  {
    name: 'get-header-value-trim',
    headers: { 'my-header1': ' value1', 'my-header2': ' "a   b   c"' },
    names: 'host;my-header1;my-header2;x-amz-date',
    signature: 'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
  },
  {
    name: 'get-header-key-duplicate',
    headers: { 'my-header1': 'value2,value2,value1' },
    names: 'host;my-header1;x-amz-date',
    signature: 'c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea',
  },
  {
    name: 'post-vanilla',
    method: 'POST',
    signature: '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  },
  {
    name: 'post-vanilla-query',
    method: 'POST',
    url: `${ROOT}?Param1=value1`,
    signature: '28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11',
  },
  {
    name: 'post-header-key-case',
    method: 'POST',
    signature: '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  },
  {
    name: 'post-x-www-form-urlencoded',
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'Param1=value1',
    names: 'content-type;host;x-amz-date',
    signature: 'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  },
];

for (const { name, method = 'GET', url = ROOT, headers, body = '', names = 'host;x-amz-date', signature } of vectors)
  test(`the published vector ${name} (contract-2 9)`, () => {
    const request = { method, url: new URL(url), payloadHash: hashPayload(body), ...(headers && { headers }) };
    const { authorization } = signAws(request, { scope, credentials, at });
    const credentialScope = 'AKIDEXAMPLE/20150830/us-east-1/service/aws4_request';
    const wanted = `AWS4-HMAC-SHA256 Credential=${credentialScope}, SignedHeaders=${names}, Signature=${signature}`;
    assert.equal(authorization, wanted);
  });
