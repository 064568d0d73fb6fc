// What the build makes: small enough at first, and the rest apart.
import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';

const BUILT = 'dist/console';
const MOST_BYTES = 350_000;

/** The scripts that the page itself names, and all that those import at once. */
function firstScripts(): Set<string> {
  const page = readFileSync(`${BUILT}/index.html`, 'utf8');
  const named = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, name = '']) => name);
  const seen = new Set<string>();
  while (named.length > 0) {
    const name = named.pop() ?? '';
    if (seen.has(name)) continue;
    seen.add(name);
    const code = readFileSync(`${BUILT}/${name}`, 'utf8');
    for (const [, other = ''] of code.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) named.push(`assets/${other}`);
  }
  return seen;
}

test('the first load has less than 350 kB of compressed script, and charts and playground are not in it', () => {
  const scripts = [...firstScripts()];
  assert.ok(scripts.length > 0);
  const bytes = scripts.reduce((sum, name) => sum + statSync(`${BUILT}/${name}.gz`).size, 0);
  assert.ok(bytes < MOST_BYTES, `${bytes} bytes in ${scripts.join(', ')}`);
  for (const name of ['charts', 'playground-screen', 'overview-screen', 'start-screen']) {
    assert.ok(globSync(`${BUILT}/assets/${name}-*.js`).length > 0, `${name} is a file of its own`);
    assert.ok(!scripts.some((script) => script.startsWith(`assets/${name}-`)), `${name} is loaded at once`);
  }
});

test('nothing in it names a place outside to load from', () => {
  const loads = /(?:src|href)="https?:|@import\s+url\(["']?https?:|url\(["']?https?:|fonts\.g(?:oogle|static)/;
  for (const file of globSync(`${BUILT}/**/*.{html,css,js}`))
    assert.doesNotMatch(readFileSync(file, 'utf8'), loads, file);
});
