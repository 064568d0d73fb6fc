import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Lock, lockProblems } from './lock-problems.mjs';

const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
const without = (change: (packages: Lock['packages']) => void): string[] => {
  const lock = JSON.parse(text) as Lock;
  change(lock.packages);
  return lockProblems(lock);
};

test('the lock file names every package, each with its hash', () => {
  assert.deepEqual(
    without(() => {}),
    [],
  );
});

test('a package without its hash, or with a weaker one, is refused', () => {
  for (const path of ['node_modules/fastify', 'node_modules/@rolldown/binding-linux-x64-gnu', 'node_modules/oxlint']) {
    const bare = without((packages) => delete packages[path]?.integrity);
    assert.match(bare.join(), new RegExp(`no sha512 hash.*${path}`), path);
    const weak = without((packages) => {
      const entry = packages[path];
      if (entry !== undefined) entry.integrity = 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=';
    });
    assert.match(weak.join(), new RegExp(`no sha512 hash.*${path}`), path);
  }
});

test('missing entries and download addresses are refused', () => {
  const missing = without((packages) => delete packages['node_modules/@rolldown/binding-linux-x64-gnu']);
  assert.match(missing.join(), /are missing.*binding-linux-x64-gnu/);
  const addressed = without((packages) => {
    const entry = packages['node_modules/fastify'];
    if (entry !== undefined) entry.resolved = 'https://elsewhere.example/fastify.tgz';
  });
  assert.match(addressed.join(), /download addresses.*fastify/);
});
