import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GatewayError } from '../errors/gateway-error.ts';
import { assertGrowsLinearly } from '../testing/growth.ts';
import { type CarrierStyle, checkVersionHeader, findCredential, type RequestHeaders } from './credentials.ts';

const KEY = `sk-${'a'.repeat(48)}`;
const OTHER = `sk-${'b'.repeat(48)}`;
const STYLES: CarrierStyle[] = ['compatible', 'messages', 'generate-content'];

function find(style: CarrierStyle, headers: RequestHeaders, query = ''): string | undefined {
  return findCredential({ path: '/v1/x', headers, query }, style);
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

describe('carriers (spec 5, contract 5)', () => {
  const carriers: { name: string; headers: RequestHeaders; query?: string; styles: CarrierStyle[] }[] = [
    { name: 'bearer', headers: { authorization: `Bearer ${KEY}` }, styles: STYLES },
    { name: 'x-api-key', headers: { 'x-api-key': KEY }, styles: ['messages'] },
    { name: 'key query', headers: {}, query: `alt=sse&key=${KEY}`, styles: ['generate-content'] },
    { name: 'vendor header', headers: { 'x-goog-api-key': KEY }, styles: ['generate-content'] },
    { name: 'another vendor header', headers: { 'x-acme2-api-key': KEY }, styles: ['generate-content'] },
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
    assert.equal(find('generate-content', { 'x--api-key': KEY, 'x-api-key': KEY, 'my-goog-api-key': KEY }), undefined);
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

  test('that differ are refused, whichever they are', () => {
    const bearer = `Bearer ${KEY}`;
    for (const [style, headers, query] of [
      ['messages', { authorization: bearer, 'x-api-key': OTHER }, ''],
      ['messages', { 'x-api-key': `${KEY}, ${OTHER}` }, ''],
      ['messages', { 'x-api-key': [KEY, OTHER] }, ''],
      ['compatible', { authorization: [bearer, `Bearer ${OTHER}`] }, ''],
      ['generate-content', { authorization: bearer }, `key=${OTHER}`],
      ['generate-content', {}, `key=${KEY}&key=${OTHER}`],
      ['generate-content', { 'x-a-api-key': KEY, 'x-b-api-key': OTHER }, ''],
    ] as [CarrierStyle, RequestHeaders, string][]) {
      assert.equal(
        codeOf(() => find(style, headers, query)),
        'invalid_api_key',
        JSON.stringify({ style, headers, query }),
      );
    }
  });

  test('of which only one belongs to the endpoint are not mixed up', () => {
    assert.equal(find('compatible', { authorization: `Bearer ${KEY}`, 'x-api-key': OTHER }, `key=${OTHER}`), KEY);
    assert.equal(find('messages', { 'x-api-key': KEY, 'x-goog-api-key': OTHER }, `key=${OTHER}`), KEY);
  });
});

test('hostile headers are read as text or not at all, quickly', () => {
  const long = 'x'.repeat(16_000);
  assert.equal(find('compatible', { authorization: `Bearer ${long}` }), long);
  assert.equal(find('compatible', { authorization: `Bearer${' '.repeat(16_000)}` }), undefined);
  assert.equal(find('compatible', { authorization: `Bearer ${KEY} ${OTHER}` }), `${KEY} ${OTHER}`);
  assert.equal(find('generate-content', { [`x-${'a-'.repeat(8000)}`]: KEY }), undefined);
  assert.equal(find('generate-content', { constructor: 'x', ['__proto__']: KEY }, '%&&&key&=%zz&%6bey=%'), '%');
  assert.equal(find('messages', { 'x-api-key': ','.repeat(16_000) }), undefined);
  assert.equal(find('messages', { authorization: undefined, 'x-api-key': undefined }), undefined);
  for (const [style, headers] of [
    ['compatible', (size: number) => ({ authorization: `Bearer${' '.repeat(size)}` })],
    ['messages', (size: number) => ({ 'x-api-key': ','.repeat(size) })],
    ['generate-content', (size: number) => ({ [`x-${'a-'.repeat(size)}`]: KEY })],
  ] as const)
    assertGrowsLinearly(1_000, (size) => () => find(style, headers(size)));
});

describe('the version header of /v1/messages', () => {
  test('is any <word>-version with the value 2023-06-01', () => {
    for (const headers of [
      { 'anthropic-version': '2023-06-01' },
      { 'acme-version': ' 2023-06-01 ' },
      { 'acme-version': '2023-06-01, 2023-06-01' },
      { 'acme-ai-version': '2023-06-01' },
      { 'x-stainless-package-version': '0.39.0', 'anthropic-version': '2023-06-01' },
    ]) {
      assert.doesNotThrow(() => checkVersionHeader(headers), JSON.stringify(headers));
    }
  });

  test('missing is 400 and says what to send', () => {
    for (const headers of [
      {},
      { version: '2023-06-01' },
      { '-version': '2023-06-01' },
      { 'x-stainless-package-version': '1' },
    ]) {
      assert.throws(() => checkVersionHeader(headers), {
        code: 'invalid_request',
        message: 'The version header is missing. Send "anthropic-version: 2023-06-01".',
      });
    }
  });

  test('different is 400 and names the header', () => {
    for (const value of ['2023-01-01', '', '2023-06-01, 2024-01-01', '2023-06-01x']) {
      const right = { 'anthropic-version': '2023-06-01' };
      assert.throws(() => checkVersionHeader({ ...right, 'acme-version': value }), /"acme-version" must be/);
      assert.throws(() => checkVersionHeader({ 'acme-version': value, ...right }), /"acme-version" must be/);
      assert.throws(() => checkVersionHeader({ 'acme-version': value }), {
        code: 'invalid_request',
        message: 'The header "acme-version" must be "2023-06-01". Client libraries take it as a default header.',
      });
    }
  });
});
