import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { readConfig } from '../start/config.ts';
import { BaseAddresses } from './base-addresses.ts';

function addresses(base: string | undefined, legacy: string | undefined): BaseAddresses {
  const config = readConfig({ TOLLGATE_BASE_URL: base, TOLLGATE_LEGACY_BASE_URL: legacy });
  return new BaseAddresses(config.baseAddress, config.legacyAddress);
}

const PATH = '/v1/models?limit=1';
/** Each line: the URL and host of a request, the URL it is served as, and whether it came by the legacy address. */
type Line = [url: string, host: string | undefined, served: string, legacy: boolean];

function check(base: string | undefined, legacy: string | undefined, lines: Line[]): void {
  const both = addresses(base, legacy);
  for (const [url, host, served, isLegacy] of lines)
    assert.deepEqual(
      both.arrive(url, host),
      { url: served, legacy: isLegacy },
      `${host}${url} at ${base} and ${legacy}`,
    );
}

describe('which address a request came by (spec 1 and 9)', () => {
  test('nothing set: every path is as it is', () => {
    check(undefined, undefined, [
      [PATH, 'any.example', PATH, false],
      [PATH, undefined, PATH, false],
      ['/', 'any.example', '/', false],
    ]);
  });

  test('a prefix of the new address is taken off; paths without it are served too', () => {
    check('https://gw.example/api', undefined, [
      [`/api${PATH}`, 'gw.example', PATH, false],
      [PATH, 'gw.example', PATH, false],
      ['/api', 'gw.example', '/', false],
      ['/api/', 'gw.example', '/', false],
      ['/api?x=1', 'gw.example', '/?x=1', false],
      ['/apiary/v1', 'gw.example', '/apiary/v1', false],
    ]);
  });

  test('no prefixes: the host tells, in any letters', () => {
    check('https://new.example', 'https://old.example', [
      [PATH, 'new.example', PATH, false],
      [PATH, 'old.example', PATH, true],
      [PATH, 'OLD.example', PATH, true],
      [PATH, 'elsewhere.example', PATH, false],
      [PATH, undefined, PATH, false],
    ]);
    check('http://gw.example:8080', 'http://gw.example:8081', [
      [PATH, 'gw.example:8080', PATH, false],
      [PATH, 'gw.example:8081', PATH, true],
    ]);
  });

  test('the same prefix on both: the host tells', () => {
    check('https://new.example/api', 'https://old.example/api', [
      [`/api${PATH}`, 'new.example', PATH, false],
      [`/api${PATH}`, 'old.example', PATH, true],
    ]);
  });

  test('a legacy prefix of its own tells, whatever a proxy made of the host', () => {
    for (const base of [undefined, 'https://gw.example', 'https://gw.example/new']) {
      check(base, 'https://gw.example/old', [
        [`/old${PATH}`, 'gw.example', PATH, true],
        [`/old${PATH}`, '127.0.0.1:8080', PATH, true],
        ['/old', undefined, '/', true],
        ['/older/v1', 'gw.example', '/older/v1', false],
        [PATH, 'gw.example', PATH, false],
      ]);
    }
    check('https://gw.example/new', 'https://gw.example/old', [[`/new${PATH}`, 'gw.example', PATH, false]]);
  });

  test('where one prefix begins with the other, the longer one is meant where it fits', () => {
    check('https://gw.example/a/b', 'https://gw.example/a', [
      [`/a/b${PATH}`, 'gw.example', PATH, false],
      [`/a${PATH}`, 'gw.example', PATH, true],
    ]);
    check('https://gw.example/a', 'https://gw.example/a/b', [
      [`/a/b${PATH}`, 'gw.example', PATH, true],
      [`/a${PATH}`, 'gw.example', PATH, false],
    ]);
  });

  test('a prefix on the new address alone, other hosts: prefix and host tell', () => {
    check('https://new.example/api', 'https://old.example', [
      [`/api${PATH}`, 'new.example', PATH, false],
      [PATH, 'old.example', PATH, true],
    ]);
  });

  test('a prefix on the new address alone, the same host: the prefix tells', () => {
    check('https://gw.example/api', 'https://gw.example', [
      [`/api${PATH}`, 'gw.example', PATH, false],
      [PATH, 'gw.example', PATH, true],
    ]);
  });

  test('only a legacy address set', () => {
    check(undefined, 'https://old.example', [
      [PATH, 'old.example', PATH, true],
      [PATH, 'new.example', PATH, false],
    ]);
  });

  test('whatever is asked, a path stays a path', () => {
    const address = fc.constantFrom(undefined, 'https://a.example', 'https://a.example/x', 'https://b.example/x/y');
    const url = fc.string({ unit: fc.constantFrom('/', 'x', 'y', '?', 'v1', '%2F') }).map((rest) => `/${rest}`);
    fc.assert(
      fc.property(
        address,
        address,
        url,
        fc.constantFrom('a.example', 'b.example', undefined),
        (base, legacy, url, host) => {
          const arrival = addresses(base, legacy).arrive(url, host);
          assert.ok(arrival.url.startsWith('/') && arrival.url.length <= url.length + 1);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

test('answers at the legacy address carry Deprecation and a Link to the new one (contract 1)', () => {
  const both = addresses('https://gw.example/api/', 'https://old.example').legacyHeaders('/v1/models');
  assert.match(both['Deprecation'] ?? '', /^@\d{10}$/u); // RFC 9745: a date as @seconds
  assert.equal(both['Link'], '<https://gw.example/api/v1/models>; rel="successor-version"');
  const alone = addresses(undefined, 'https://old.example/old').legacyHeaders('/v1/models');
  assert.equal(alone['Link'], '</v1/models>; rel="successor-version"');
});
