import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPayload, signAws } from './sigv4.ts';

const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const EMPTY = hashPayload('');

// The examples of https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
const at = new Date('2013-05-24T00:00:00Z');
const scope = { region: 'us-east-1', service: 's3' };

test('GET of an object with a range is signed as the vendor’s example', () => {
  const url = new URL('https://examplebucket.s3.amazonaws.com/test.txt');
  const request = { method: 'GET', url, headers: { range: 'bytes=0-9' }, payloadHash: EMPTY };
  const { authorization } = signAws(request, { scope, credentials, at });
  assert.match(authorization ?? '', /SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,/);
  assert.match(authorization ?? '', /Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41$/);
});

test('PUT of an object with a date and a storage class is signed as the vendor’s example', () => {
  const url = new URL('https://examplebucket.s3.amazonaws.com/test%24file.text');
  const headers = { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' };
  const payloadHash = hashPayload('Welcome to Amazon S3.');
  const { authorization } = signAws({ method: 'PUT', url, headers, payloadHash }, { scope, credentials, at });
  assert.match(authorization ?? '', /Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd$/);
});

test('a list with a query is signed as the vendor’s example', () => {
  const url = new URL('https://examplebucket.s3.amazonaws.com/?prefix=J&max-keys=2');
  const { authorization } = signAws({ method: 'GET', url, payloadHash: EMPTY }, { scope, credentials, at });
  assert.match(authorization ?? '', /Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7$/);
});

test('a session token is signed and sent; services other than S3 have their path encoded once more', () => {
  const url = new URL('https://bedrock-runtime.us-east-1.amazonaws.com/model/a%3A0/invoke');
  const withSession = { ...credentials, sessionToken: 'session' };
  const request = { method: 'POST', url, payloadHash: hashPayload('{}') };
  const bedrock = { region: 'us-east-1', service: 'bedrock' };
  const headers = signAws(request, { scope: bedrock, credentials: withSession, at });
  assert.equal(headers['x-amz-security-token'], 'session');
  assert.equal(headers['x-amz-content-sha256'], undefined);
  assert.match(headers['authorization'] ?? '', /SignedHeaders=host;x-amz-date;x-amz-security-token,/);
  const plain = new URL('https://bedrock-runtime.us-east-1.amazonaws.com/model/a:0/invoke');
  const other = signAws({ ...request, url: plain }, { scope: bedrock, credentials: withSession, at });
  assert.notEqual(other['authorization'], headers['authorization']);
});
