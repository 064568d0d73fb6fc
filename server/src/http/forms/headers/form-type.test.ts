import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readFormType } from './form-type.ts';

const FORM = 'multipart/form-data';

describe('the content type of a form', () => {
  test('names a boundary, quoted or not, of 1 to 70 characters', () => {
    const long = 'x'.repeat(70);
    for (const [type, boundary] of [
      [`${FORM}; boundary=abc`, 'abc'],
      ['Multipart/Form-Data;BOUNDARY="a b"', 'a b'],
      [`${FORM} ; charset=utf-8; boundary=a=b/c `, 'a=b/c'],
      [`${FORM}; x="; boundary=no"; boundary=${long}; y=z`, long],
      [`${FORM}; boundary="a,b"`, 'a,b'],
    ] as const)
      assert.deepEqual(readFormType(type), { boundary, alphabet: 'utf-8' });
    assert.equal(readFormType(`${FORM}; charset=ISO-8859-1; boundary=b`).alphabet, 'ascii');
  });

  test('malformed, doubled or missing parameters: 400 that says which (contract 4)', () => {
    for (const [rest, message] of [
      ['; boundary=BB;; boundary=CC', /is malformed at ";; boundary=CC"/u],
      ['; boundary=BB; x; boundary=CC', /is malformed at "; x; boundary=CC"/u],
      ['; boundary=BB; x="a"b; boundary=CC', /is malformed at "; x=\\"a\\"b; /u],
      ['; boundary=BB; boundary =CC', /is malformed at "; boundary =CC"/u],
      ['; boundary= BB', /is malformed at/u],
      [String.raw`; boundary="B\B"`, /no backslash/u],
      [`; boundary=BB; boundary*=utf-8''CC`, /parameter "boundary\*", which is not supported/u],
      ['; boundary=BB; boundary*0=CC', /parameter "boundary\*0", which is not supported/u],
      ['; boundary=BB; x*=CC', /parameter "x\*", which is not supported/u],
      ['; boundary=a; boundary=b', /parameter "boundary" more than once/u],
      ['; boundary=a; Boundary=a', /parameter "boundary" more than once/u],
      ['; x=1; x=1; boundary=a', /parameter "x" more than once/u],
      ['; boundary=a;', /is malformed at ";"/u],
      ['; boundary=a, multipart/form-data; boundary=b', /is malformed at/u],
      ['; boundary=a b', /is malformed at/u],
      ['', /has no boundary/u],
      ['; boundary=', /is malformed at/u],
      ['; boundary=""', /needs a boundary/u],
      ['; boundary="', /is malformed at/u],
      [`; boundary=${'x'.repeat(71)}`, /needs a boundary of 1 to 70/u],
      ['; boundary="a "', /needs a boundary/u],
      ['; boundary=ä', /needs a boundary/u],
      [`; boundary=${' '.repeat(16_000)}"`, /is malformed at/u],
      ['; boundary=a; charset=utf-16', /has the charset "utf-16"/u],
    ] as const)
      assert.throws(() => readFormType(`${FORM}${rest}`), { code: 'invalid_request', message }, rest);
  });
});
