import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trimManifest } from './package-manifest.mjs';

test('the published manifest has what the built programs name, and nothing of a clone', () => {
  const manifest = {
    name: 'tollgate',
    scripts: { start: 'node main.js', test: 'node tests.js', prepack: 'node trim.js' },
    dependencies: { pino: '1.0.0', pin: '1.0.0', undici: '2.0.0', '@a/b': '3.0.0', vite: '4.0.0' },
    devDependencies: { typescript: '1.0.0' },
    imports: { '#contract/*': './contract/src/*' },
  };
  const programs = ['import{pino}from"pino";', 'load("undici/lib/agent.js");import(`@a/b/c`)'];
  assert.deepEqual(trimManifest(manifest, programs), {
    name: 'tollgate',
    scripts: { start: 'node main.js' },
    dependencies: { pino: '1.0.0', undici: '2.0.0', '@a/b': '3.0.0' },
  });
});
