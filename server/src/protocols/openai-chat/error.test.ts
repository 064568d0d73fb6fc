import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { complaintOf, readComplaint } from './error.ts';

const NOTHING = { message: undefined, code: undefined, param: undefined };

test('the compatible shape is read whole', () => {
  const error = { message: 'Unknown model', type: 'invalid_request_error', param: 'model', code: 'model_not_found' };
  assert.deepEqual(complaintOf({ error }), {
    message: 'Unknown model',
    code: 'model_not_found',
    param: 'model',
    type: 'invalid_request_error',
  });
});

test('other shapes in use are understood', () => {
  assert.deepEqual(complaintOf({ error: 'no' }), { ...NOTHING, message: 'no' });
  assert.deepEqual(complaintOf({ message: 'no', code: 5 }), { ...NOTHING, message: 'no', code: '5' });
  assert.deepEqual(complaintOf({ object: 'error', message: 'no', type: 'Bad', param: null }), {
    ...NOTHING,
    message: 'no',
    code: 'Bad',
  });
  assert.deepEqual(complaintOf({ error: { message: 'no', type: 'busy', code: null } }), {
    ...NOTHING,
    message: 'no',
    code: 'busy',
  });
});

test('the detail of a server built on FastAPI is its message (contract 4)', () => {
  assert.deepEqual(complaintOf({ detail: 'no such model' }), { ...NOTHING, message: 'no such model' });
  const issue = { loc: ['body', 'messages', 0, 'role'], msg: 'Field required', type: 'missing' };
  assert.deepEqual(complaintOf({ detail: [issue] }), {
    ...NOTHING,
    message: 'messages.0.role: Field required',
    param: 'messages.0.role',
  });
  for (const detail of [[], [5], [{}], {}, null, '']) assert.deepEqual(complaintOf({ detail }), NOTHING);
});

test('empty texts and values of the wrong type count as absent', () => {
  assert.deepEqual(complaintOf({ error: { message: '', code: '', param: '' } }), NOTHING);
  assert.deepEqual(complaintOf({ error: { message: {}, code: [], param: true } }), NOTHING);
  for (const value of [undefined, null, 5, 'text', [], {}]) assert.deepEqual(complaintOf(value), NOTHING);
});

test('a body that is not JSON says nothing', () => {
  for (const body of ['', '<html>busy</html>', '{"error":', '"text"', 'null']) {
    assert.deepEqual(readComplaint(Buffer.from(body)), NOTHING);
  }
  assert.equal(readComplaint(Buffer.from('{"error":{"message":"é"}}')).message, 'é');
});

test('whatever the body is, reading it throws nothing and gives texts', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (body) => {
      for (const value of Object.values(readComplaint(Buffer.from(body)))) {
        assert.ok(value === undefined || (typeof value === 'string' && value !== ''));
      }
    }),
    { numRuns: 1000 },
  );
});

test('whatever stands in the path of a detail, it is read', () => {
  const deep: unknown[] = [];
  for (let inner = deep, i = 0; i < 100_000; i++) inner.push((inner = []));
  for (const loc of [[{ toString: 1, valueOf: 1 }], [deep], [null, 'body', 0, 'text']]) {
    const { message, param } = complaintOf({ detail: [{ msg: 'm', loc }] });
    assert.ok(message?.endsWith('m'), message);
    assert.ok(param === undefined || param === '0.text' || param === 'body.0.text', param);
  }
});
