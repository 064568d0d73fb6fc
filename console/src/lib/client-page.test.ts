import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readClientPage } from './client-page.ts';

test('a page of a client becomes sentences and blocks with the address of this gateway', () => {
  const page = [
    '# Some tool',
    '',
    '| Setting | Value |',
    '|---|---|',
    '| `base_url` | `https://YOUR-GATEWAY/v1` |',
    '',
    '```sh',
    'export BASE=https://YOUR-GATEWAY/v1',
    'tool',
    '```',
    '',
    'See the page of',
    '[another](other.md).',
  ].join('\n');
  assert.deepEqual(readClientPage(page, 'https://ai.example.com'), {
    title: 'Some tool',
    parts: [
      { kind: 'text', text: 'base_url: https://ai.example.com/v1' },
      { kind: 'code', text: 'export BASE=https://ai.example.com/v1\ntool' },
      { kind: 'text', text: 'See the page of another.' },
    ],
  });
});

test('every page of docs/clients has a title and says something', () => {
  const files = globSync('docs/clients/*.md');
  assert.ok(files.length > 15);
  for (const file of files) {
    const { title, parts } = readClientPage(readFileSync(file, 'utf8'), 'https://ai.example.com');
    assert.ok(title !== '' && parts.length > 0, file);
    assert.ok(!JSON.stringify(parts).includes('YOUR-GATEWAY'), file);
  }
});
