import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNameOfPeople, roleOf } from './named-people.ts';

const people = { admins: ['ann@example.com', '*@root.example'], viewers: ['*@example.com', 'bob@root.example'] };

test('an address is what the lists say, its own name before its domain', () => {
  const roles = {
    'ann@example.com': 'admin',
    'Ann@Example.COM': 'admin',
    'carl@example.com': 'viewer',
    'zoe@root.example': 'admin',
    'bob@root.example': 'viewer',
  };
  for (const [email, role] of Object.entries(roles)) assert.equal(roleOf(email, people), role, email);
});

test('nobody comes in who is not named, however close the name is', () => {
  const strangers = [
    'ann@example.org',
    'ann@sub.example.com',
    'ann@notexample.com',
    'ann@example.com.evil',
    'ann@evil@example.com',
    '"ann@example.com"@evil.example',
    'ann@example.com\n',
    ' ann@example.com',
    'carl@example.com,x@evil.example',
    '*@example.com',
    '@example.com',
    'ann@',
    'example.com',
    '',
    'an\u006e\u0303@example.com',
    'ann@exam\u212Aple.com',
    `${'x'.repeat(100)}@example.com`,
  ];
  for (const email of strangers) assert.equal(roleOf(email, people), undefined, email);
});

test('look-alikes of other alphabets are somebody else: the Kelvin sign has a small k', () => {
  const kelvin = 'mi\u212Ae@example.net';
  assert.equal(kelvin.toLowerCase(), 'mike@example.net');
  assert.equal(roleOf(kelvin, { admins: ['mike@example.net'], viewers: [] }), undefined);
});

test('lists take addresses and whole domains, and nothing wider', () => {
  for (const entry of ['ann@example.com', 'a.b+c@x.example', '*@example.com', 'root@localhost'])
    assert.ok(isNameOfPeople(entry), entry);
  for (const entry of ['*', '*@', '*@*', 'a*@example.com', '*@*.example.com', 'ann', '@example.com', 'a b@example.com'])
    assert.ok(!isNameOfPeople(entry), entry);
});
