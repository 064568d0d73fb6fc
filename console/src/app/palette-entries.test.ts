import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paletteEntries } from './palette-entries.ts';

test('the palette offers pages by any part of their name, then what the gateway found (issue 34 point 6)', () => {
  assert.ok(paletteEntries('', []).length > 10, 'all pages');
  const found = { kind: 'account' as const, id: 'acc_1', name: 'Ledgerwise', detail: 'gold' };
  assert.deepEqual(
    paletteEntries('LEDGER', [found]).map(({ to, id }) => `${to} ${id}`),
    ['/ledger /ledger', '/accounts/$id acc_1'],
  );
});
