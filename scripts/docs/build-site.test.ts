// The built guide: every link, heading and picture is there, nothing comes from outside, and HTML in a text stays text.
import assert from 'node:assert/strict';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { buildSite } from './build-site.mjs';
import { renderPage } from './render-page.mjs';

const target = mkdtempSync(join(tmpdir(), 'tollgate-guide-'));
let problems: string[];
let names: string[];
const pages = new Map<string, string>();

before(async () => {
  ({ problems } = await buildSite(target));
  names = globSync('**/*.html', { cwd: target }).map((name) => name.replaceAll('\\', '/'));
  for (const name of names) pages.set(name, readFileSync(join(target, name), 'utf8'));
});
after(() => rmSync(target, { recursive: true }));

test('every page of docs/ but lab notes is built, and the index names those of its first level', () => {
  const sources = globSync('docs/**/*.md').filter((file) => !file.includes('docs/lab/'));
  for (const source of sources) {
    const name = relative('docs', source)
      .replace(/README\.md$/, 'index.html')
      .replace(/\.md$/, '.html');
    assert.ok(pages.has(name.replaceAll('\\', '/')), name);
  }
  assert.ok(!names.some((name) => name.startsWith('lab/')));
  const index = readFileSync('docs/README.md', 'utf8');
  for (const source of globSync('docs/*.md')) {
    const name = relative('docs', source);
    if (name !== 'README.md') assert.ok(index.includes(`](${name})`), `docs/README.md does not name ${name}`);
  }
});

test('every link leads to a page and a heading that is there, and every picture and file is there', () => {
  assert.deepEqual(problems, []);
  let checked = 0;
  for (const [name, html] of pages) {
    for (const [, address = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (/^(?:https?|mailto):/.test(address)) continue;
      const [path = '', fragment] = address.split('#');
      const file = path === '' ? name : posix.normalize(posix.join(posix.dirname(name), path));
      if (/^\.\.\/(?:\.\.\/console\/)?$/.test(file)) continue; // the API reference and the console
      assert.ok(existsSync(join(target, file)), `${name}: ${address}`);
      if (fragment !== undefined) assert.ok(pages.get(file)?.includes(` id="${fragment}"`), `${name}: ${address}`);
      checked++;
    }
  }
  assert.ok(checked > 2_000, `${checked} links`);
});

test('the pages run and load nothing from outside, and carry no style or script of their own', () => {
  for (const [name, html] of pages) {
    for (const [, source = ''] of html.matchAll(/<(?:script|img|link)\b[^>]* (?:src|href)="([^"]*)"/g))
      assert.doesNotMatch(source, /^(?:[a-z]+:)?\/\//, name);
    assert.doesNotMatch(html, /<script(?! src="[^"]+"(?: defer)?><\/script>)|<style| style="| on[a-z]+="/, name);
  }
});

test('HTML and scripts in a text are shown as text', () => {
  const text = '<script>alert(1)</script> <b onclick="x()">b</b> [link](javascript:alert(1)) ![p](data:text/html,x)';
  const { html } = renderPage({ file: 'docs/x.md', address: 'x.html', title: 'X', text }, new Map());
  assert.doesNotMatch(html, /<script|<b|href="javascript|src="data/);
  assert.match(html, /&lt;script&gt;/);
});

test('the search index has the sections of the pages, each by an address that is there', () => {
  const entries = JSON.parse(readFileSync(join(target, 'search.json'), 'utf8')) as { a: string; t: string }[];
  assert.ok(entries.length > 300, `${entries.length} entries`);
  for (const { a, t } of entries) {
    const [file = '', fragment] = a.split('#');
    assert.ok(t !== '' && pages.has(file), a);
    if (fragment !== undefined) assert.ok(pages.get(file)?.includes(` id="${fragment}"`), a);
  }
  assert.ok(entries.some(({ a, t }) => a === 'settings.html' && t.includes('TOLLGATE_CURRENCY')));
});
