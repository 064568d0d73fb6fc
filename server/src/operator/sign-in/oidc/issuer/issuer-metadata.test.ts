import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metadataAddress, readMetadata } from './issuer-metadata.ts';

const ISSUER = 'https://id.example/tenant';
const PUBLISHED = {
  issuer: ISSUER,
  authorization_endpoint: 'https://id.example/authorize',
  token_endpoint: 'https://token.example/token',
  jwks_uri: 'https://keys.example/keys',
};

test('metadata is looked for below the whole issuer', () => {
  for (const issuer of [ISSUER, `${ISSUER}/`])
    assert.equal(metadataAddress(issuer), 'https://id.example/tenant/.well-known/openid-configuration');
});

test('metadata of another issuer is refused; a slash at the end is no difference, and stands in tokens as published', () => {
  for (const issuer of [
    'https://id.example',
    'https://id.example/Tenant',
    'https://evil.example/tenant',
    `${ISSUER}//`,
  ])
    assert.throws(() => readMetadata({ ...PUBLISHED, issuer }, ISSUER), /another issuer/, issuer);
  assert.equal(readMetadata({ ...PUBLISHED, issuer: `${ISSUER}/` }, ISSUER).issuer, `${ISSUER}/`);
  assert.equal(readMetadata(PUBLISHED, `${ISSUER}/`).issuer, ISSUER);
});

test('every address must be https, or on this machine', () => {
  const names = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'];
  const bad = [
    'http://id.example/x',
    'javascript:alert(1)',
    'ftp://id.example',
    '/token',
    '',
    'https://u:p@id.example',
  ];
  for (const name of names) {
    for (const address of bad)
      assert.throws(() => readMetadata({ ...PUBLISHED, [name]: address }, ISSUER), new RegExp(`"${name}"`), address);
    for (const address of ['http://localhost:8081/x', 'http://127.0.0.1/x', 'http://[::1]:1/x'])
      readMetadata({ ...PUBLISHED, [name]: address }, ISSUER);
  }
  for (const address of ['http://localhost.evil.example/x', 'http://127.0.0.1.evil.example/x'])
    assert.throws(() => readMetadata({ ...PUBLISHED, token_endpoint: address }, ISSUER), /"token_endpoint"/);
});

test('something else than metadata is refused with the name of what is missing', () => {
  for (const body of [null, [], 'text']) assert.throws(() => readMetadata(body, ISSUER), /cannot be used/);
  assert.throws(() => readMetadata({ ...PUBLISHED, jwks_uri: undefined }, ISSUER), /"jwks_uri"/);
});

test('the client secret goes by header, unless the issuer knows only the other way', () => {
  const methods = (...token_endpoint_auth_methods_supported: string[]) =>
    readMetadata({ ...PUBLISHED, token_endpoint_auth_methods_supported }, ISSUER).secretInBody;
  assert.equal(readMetadata(PUBLISHED, ISSUER).secretInBody, false);
  assert.equal(methods('client_secret_post', 'client_secret_basic'), false);
  assert.equal(methods('client_secret_post', 'private_key_jwt'), true);
});
