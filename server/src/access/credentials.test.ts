import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GatewayError } from '../errors/gateway-error.ts';
import { assertGrowsLinearly } from '../testing/growth.ts';
import { type CarrierStyle, findCredentials, readMessagesVersion, type RequestHeaders } from './credentials.ts';

const KEY = `sk-${'a'.repeat(48)}`;
const OTHER = `sk-${'b'.repeat(48)}`;
const STYLES: CarrierStyle[] = ['compatible', 'messages', 'generate-content'];

function findAll(style: CarrierStyle, headers: RequestHeaders, query = ''): string[] {
  return findCredentials({ path: '/v1/x', headers, query }, style);
}

function find(style: CarrierStyle, headers: RequestHeaders, query = ''): string | undefined {
  const [key, ...others] = findAll(style, headers, query);
  assert.deepEqual(others, []);
  return key;
}

function codeOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof GatewayError);
    assert.ok(!error.message.includes(KEY) && !error.message.includes(OTHER), 'no secret in a message');
    return error.code;
  }
}

describe('carriers (spec 5, contract-2 7)', () => {
  const carriers: { name: string; headers: RequestHeaders; query?: string; styles: CarrierStyle[] }[] = [
    { name: 'bearer', headers: { authorization: `Bearer ${KEY}` }, styles: STYLES },
    { name: 'x-api-key', headers: { 'x-api-key': KEY }, styles: STYLES },
    { name: 'key query', headers: {}, query: `alt=sse&key=${KEY}`, styles: ['generate-content'] },
    { name: 'vendor header', headers: { 'x-goog-api-key': KEY }, styles: STYLES },
    { name: 'another vendor header', headers: { 'x-acme2-api-key': KEY }, styles: STYLES },
  ];
  for (const { name, headers, query, styles } of carriers) {
    for (const style of STYLES) {
      const expected = styles.includes(style) ? KEY : undefined;
      test(`${name} is ${expected === undefined ? 'not read' : 'read'} on ${style} endpoints`, () => {
        assert.equal(find(style, headers, query), expected);
      });
    }
  }

  test('the word Bearer is read in any case and with any space around', () => {
    for (const value of [`bearer ${KEY}`, `BEARER ${KEY}`, `  Bearer \t ${KEY}  `]) {
      assert.equal(find('compatible', { authorization: value }), KEY);
    }
  });

  test('other schemes, bare keys and empty carriers are no credential', () => {
    for (const value of ['', 'Bearer', 'Bearer ', `Basic ${KEY}`, KEY, `Bearer${KEY}`]) {
      assert.equal(find('compatible', { authorization: value }), undefined, JSON.stringify(value));
    }
    assert.equal(find('messages', { 'x-api-key': ' , ' }), undefined);
    assert.equal(find('generate-content', { 'x--api-key': KEY, 'api-key': KEY, 'my-goog-api-key': KEY }), undefined);
    assert.equal(find('generate-content', {}, 'key=&monkey=7&KEY=x'), undefined);
  });
});

describe('several carriers', () => {
  test('that agree count as one', () => {
    assert.equal(find('messages', { authorization: `Bearer ${KEY}`, 'x-api-key': `${KEY}, ${KEY}` }), KEY);
    assert.equal(
      find(
        'generate-content',
        { authorization: `Bearer ${KEY}`, 'x-goog-api-key': [KEY, KEY] },
        `key=${KEY}&key=${KEY}`,
      ),
      KEY,
    );
  });

  test('that differ are all given, each once, for the authenticator to decide (contract-2 7)', () => {
    const bearer = `Bearer ${KEY}`;
    for (const [style, headers, query] of [
      ['messages', { authorization: bearer, 'x-api-key': OTHER }, ''],
      ['messages', { 'x-api-key': `${KEY}, ${OTHER}` }, ''],
      ['messages', { 'x-api-key': [KEY, OTHER] }, ''],
      ['compatible', { authorization: bearer, 'x-goog-api-key': `${OTHER}, ${KEY}` }, ''],
      ['generate-content', { authorization: bearer }, `key=${OTHER}`],
      ['generate-content', {}, `key=${KEY}&key=${OTHER}`],
      ['generate-content', { 'x-a-api-key': KEY, 'x-b-api-key': OTHER }, ''],
    ] as [CarrierStyle, RequestHeaders, string][]) {
      assert.deepEqual(findAll(style, headers, query), [KEY, OTHER], JSON.stringify({ style, headers, query }));
    }
  });

  test('that are more than a few are refused before any is looked up', () => {
    const many = Array.from({ length: 5 }, (_, index) => `sk-${index}`).join(', ');
    assert.equal(
      codeOf(() => findAll('compatible', { 'x-api-key': many })),
      'invalid_api_key',
    );
    assert.equal(findAll('compatible', { 'x-api-key': `${KEY}, `.repeat(100) }).length, 1);
  });

  test('a comma inside a key that an operator chose is part of it (contract-2 10)', () => {
    assert.deepEqual(findAll('messages', { 'x-api-key': 'old-key,1' }), ['old-key,1']);
  });

  test('the query is a carrier under /v1beta only', () => {
    assert.equal(find('compatible', { authorization: `Bearer ${KEY}` }, `key=${OTHER}`), KEY);
    assert.equal(find('messages', { 'x-api-key': KEY }, `key=${OTHER}`), KEY);
  });
});

test('hostile headers are read as text or not at all, quickly', () => {
  const long = 'x'.repeat(16_000);
  assert.equal(find('compatible', { authorization: `Bearer ${long}` }), long);
  assert.equal(find('compatible', { authorization: `Bearer${' '.repeat(16_000)}` }), undefined);
  assert.equal(find('compatible', { authorization: `Bearer ${KEY} ${OTHER}` }), `${KEY} ${OTHER}`);
  assert.equal(find('generate-content', { [`x-${'a-'.repeat(8000)}`]: KEY }), undefined);
  assert.equal(find('generate-content', { constructor: 'x', ['__proto__']: KEY }, '%&&&key&=%zz&%6bey=%'), '%');
  assert.equal(find('messages', { 'x-api-key': ', '.repeat(16_000) }), undefined);
  assert.equal(find('messages', { authorization: undefined, 'x-api-key': undefined }), undefined);
  for (const [style, headers] of [
    ['compatible', (size: number) => ({ authorization: `Bearer${' '.repeat(size)}` })],
    ['messages', (size: number) => ({ 'x-api-key': ','.repeat(size) })],
    ['generate-content', (size: number) => ({ [`x-${'a-'.repeat(size)}`]: KEY })],
  ] as const)
    assertGrowsLinearly(1_000, (size) => () => find(style, headers(size)));
});

describe('the version of /v1/messages (spec 5, 9; contract-2 7)', () => {
  const known = ['2023-06-01', '2026-10-21'];

  test('is every known version, and anthropic-version decides where it is sent', () => {
    for (const version of known) {
      for (const headers of [
        { 'anthropic-version': version },
        { 'anthropic-version': `${version}, ${version}` },
        { 'anthropic-version': version, 'acme-version': known.find((other) => other !== version) },
        { 'anthropic-version': version, 'acme-version': 'nobody knows' },
        { 'x-stainless-package-version': '0.39.0', 'anthropic-version': version },
      ]) {
        assert.equal(readMessagesVersion(headers), version, JSON.stringify(headers));
      }
    }
  });

  test('without it the one <word>-version header with a known version decides', () => {
    for (const version of known) {
      for (const headers of [
        { 'acme-version': ` ${version} ` },
        { 'acme-ai-version': version },
        { 'acme-version': version, 'x-client-version': '1.2', 'other-version': '' },
        { 'acme-version': version, 'other-version': version },
      ]) {
        assert.equal(readMessagesVersion(headers), version, JSON.stringify(headers));
      }
    }
  });

  test('missing or not known is 400 and lists the known ones', () => {
    for (const headers of [
      {},
      { version: '2023-06-01' },
      { '-version': '2023-06-01' },
      { 'x-stainless-package-version': '1' },
      { 'acme-version': '2022-01-01' },
      { 'acme-version': '2023-06-01', 'other-version': '2026-10-21' },
      ...['2022-01-01', '2023-06-01x', '2099-01-01', '', '2023-06-01, 2026-10-21'].map((version) => ({
        'anthropic-version': version,
        ...(version !== '' && { 'acme-version': '2023-06-01' }),
      })),
    ]) {
      assert.throws(
        () => readMessagesVersion(headers),
        (error) => {
          assert.ok(error instanceof GatewayError, JSON.stringify(headers));
          assert.equal(error.code, 'invalid_request');
          assert.match(error.message, /"anthropic-version: 2023-06-01".*"2023-06-01" or "2026-10-21"/);
          return true;
        },
        JSON.stringify(headers),
      );
    }
  });

  test('what is said is what is wrong: nothing sent, nothing known, or versions that differ', () => {
    for (const [headers, problem] of [
      [{}, /^The version header is missing\./],
      [{ 'anthropic-version': 'x' }, /^The header "anthropic-version" has no known version\./],
      [{ 'acme-version': '2023-06-01', 'other-version': '2026-10-21' }, /^Several headers name versions that differ\./],
    ] as const)
      assert.throws(() => readMessagesVersion(headers), { message: problem });
  });
});
