import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropUnused } from '../console/unused-styles.ts';

const used = new Set(['m_aaaaaaaa', 'm_bbbbbbbb']);

test('styles of components that no page uses are left out, all others stay as they are', () => {
  assert.equal(
    dropUnused('@charset "utf-8";.m_aaaaaaaa,.m_cccccccc{a:b;c:d}.m_cccccccc{e:f}.own{g:h}', used),
    '@charset "utf-8";.m_aaaaaaaa{a:b;c:d}.own{g:h}',
  );
  assert.equal(
    dropUnused('@media (min-width:1px){.m_cccccccc{a:b}}@media print{.m_bbbbbbbb .x{a:b}.m_cccccccc{c:d}}', used),
    '@media print{.m_bbbbbbbb .x{a:b}}',
  );
});

test('blocks inside of blocks, quotes and commas inside of brackets divide nothing', () => {
  const css = '@keyframes m_cccccccc{0%{a:b}to{c:d}}:where(.m_aaaaaaaa,.x) .y{content:"{;}"}@font-face{src:url("a;b")}';
  assert.equal(dropUnused(css, used), css);
});
