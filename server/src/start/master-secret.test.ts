import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { ConfigError } from './settings/config-error.ts';
import { checkMasterSecret, findMasterSecret, opensStore, readMasterSecret } from './master-secret.ts';
import { makeSecretBox } from '../shared/secret-box.ts';
import { onEveryStore } from '../testing/stores.ts';

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe('the secret', () => {
  test('a given one is used, and nothing is written', (t) => {
    const data = join(folder(t), 'data');
    assert.equal(readMasterSecret('given by the operator', data), 'given by the operator');
    assert.throws(() => statSync(data), { code: 'ENOENT' });
  });

  test('without one it is made once, in a folder and a file that only the owner can read', (t) => {
    const data = join(folder(t), 'deep', 'data');
    const secret = readMasterSecret(undefined, data);
    assert.ok(secret.length >= 43);
    assert.equal(readMasterSecret(undefined, data), secret);
    assert.equal(readFileSync(join(data, 'secret'), 'utf8').trim(), secret);
    if (process.platform === 'win32') return;
    assert.equal(statSync(join(data, 'secret')).mode & 0o777, 0o600);
    assert.equal(statSync(data).mode & 0o777, 0o700);
  });

  test('to look for one makes none', (t) => {
    const data = folder(t);
    assert.equal(findMasterSecret(undefined, data), undefined);
    assert.throws(() => statSync(join(data, 'secret')), { code: 'ENOENT' });
    assert.equal(findMasterSecret('given by the operator', data), 'given by the operator');
    assert.equal(findMasterSecret(undefined, data), undefined);
    assert.equal(readMasterSecret(undefined, data), findMasterSecret(undefined, data));
  });

  test('every data folder gets another one', (t) => {
    assert.notEqual(readMasterSecret(undefined, folder(t)), readMasterSecret(undefined, folder(t)));
  });

  test('a file that others could read is closed again', { skip: process.platform === 'win32' }, (t) => {
    const data = folder(t);
    readMasterSecret(undefined, data);
    chmodSync(join(data, 'secret'), 0o644);
    readMasterSecret(undefined, data);
    assert.equal(statSync(join(data, 'secret')).mode & 0o777, 0o600);
  });

  test('an empty or damaged file is refused in one sentence, and left as it is', (t) => {
    for (const damaged of ['', '\n', 'short']) {
      const data = folder(t);
      writeFileSync(join(data, 'secret'), damaged);
      assert.throws(() => readMasterSecret(undefined, data), {
        name: 'ConfigError',
        message: /^TOLLGATE_SECRET [^\n]+\.$/u,
      });
      assert.equal(readFileSync(join(data, 'secret'), 'utf8'), damaged);
    }
  });
});

onEveryStore((open) => {
  test('a database takes the secret it was set up with, and no other', async () => {
    const store = await open();
    const first = makeSecretBox('the first master secret');
    await checkMasterSecret(store, first);
    await checkMasterSecret(store, first);
    await assert.rejects(checkMasterSecret(store, makeSecretBox('another master secret')), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, /^TOLLGATE_SECRET [^\n]+ copy the file `secret` [^\n]+\.$/u);
      assert.doesNotMatch(error.message, /another|first master/u);
      return true;
    });
    await checkMasterSecret(store, first);
  });

  test('whether a secret opens a store is seen without a change (contract-2 11)', async () => {
    const store = await open();
    const [first, other] = [makeSecretBox('the first master secret'), makeSecretBox('another master secret')];
    assert.equal(await opensStore(store, undefined), true, 'nothing is sealed yet');
    await checkMasterSecret(store, first);
    assert.deepEqual(
      [await opensStore(store, first), await opensStore(store, other), await opensStore(store, undefined)],
      [true, false, false],
    );
  });
});
