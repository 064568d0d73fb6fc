import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findReferences, readPromises, readSections, resolves } from './check-references.mjs';

const law = {
  pages: {
    spec: readSections(
      '# The page\n## 2. Fields\n### 2.6 Alpha\ntext\n1. one\n2. two\n### 2.10 Chat\n## 9. Versions\n',
    ),
    contract: readSections('## 4. Errors\n'),
    'contract-2': readSections('## 7. Clients\n'),
  },
  promises: readPromises('| Id | Promise |\n|---|---|\n| M-07 | text |\n| FT-16 | text |\n'),
};

test('references to rules that exist lead somewhere', () => {
  const text = 'spec 2.6 rule 2; spec 2, 9; spec 2.6-2.10; contract 4 (contract-2 7, promise M-07), FT-16';
  const found = findReferences(text);
  assert.equal(found.length, 9);
  assert.deepEqual(
    found.filter((one) => !resolves(one, law)),
    [],
  );
});

test('a section, a rule, a promise and a fault test that do not exist are found', () => {
  for (const text of [
    'spec 2.7',
    'spec 2.6 rule 3',
    'spec 2, 3',
    'spec 2.6-2.11',
    'contract 7',
    'contract-2 4',
    'M-08',
    'FT-17',
  ]) {
    assert.ok(
      findReferences(text).some((one) => !resolves(one, law)),
      text,
    );
  }
});
