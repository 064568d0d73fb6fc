import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addAccount, addToken } from '../../testing/fixtures.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { listAccounts } from './accounts.ts';
import { listTokens } from './tokens.ts';

onEveryStore((open) => {
  test('a part of a name finds it in any case, and no letter stands for others (promise A-14)', async () => {
    const store = await open();
    const names = ['Acme Reports', '100% sure', 'under_score', 'back\\slash', "quote'd", 'plain'];
    for (const [index, name] of names.entries()) await addAccount(store, { id: `acc_${index}`, name });
    await addToken(store, { id: 'tok_1', account_id: 'acc_0', name: 'Nightly REPORT' });
    const find = async (q: string) => (await listAccounts(store.reads, { q, limit: 10 })).map(({ name }) => name);
    assert.deepEqual(await find('rePORT'), ['Acme Reports']);
    assert.deepEqual(await find('%'), ['100% sure']);
    assert.deepEqual(await find('_'), ['under_score']);
    assert.deepEqual(await find('\\'), ['back\\slash']);
    assert.deepEqual(await find("'"), ["quote'd"]);
    assert.deepEqual(await find('%'.repeat(100)), []);
    assert.deepEqual(await find('acc_5'), ['plain'], 'the whole id finds it too');
    assert.deepEqual(await find('acc'), []);
    assert.equal((await listTokens(store.reads, { q: 'report', limit: 10 })).length, 1);
    assert.equal((await listTokens(store.reads, { q: 'report', accountId: 'acc_1', limit: 10 })).length, 0);
  });
});
