import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GatewayError } from '../../errors/gateway-error.ts';
import { makeSecretBox } from '../../shared/secret-box.ts';
import { heartbeat } from '../../store/queries/processes.ts';
import type { Store } from '../../store/store.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { Claim } from './claim.ts';
import { Claims, type KeptAnswer, readIdempotencyKey } from './claims.ts';

const box = makeSecretBox('a master secret');
const head = { form: 'whole', headers: { 'content-type': 'text/plain' }, requestId: 'req_1' } as const;
const request = { scope: 'acc', key: 'k', digest: 'd' };

async function process(store: Store, owner: string, waitMs = 5_000): Promise<Claims> {
  await heartbeat(store, owner);
  return new Claims({ store, box, owner, silenceSeconds: 10, waitMs });
}

async function first(claims: Claims): Promise<Claim> {
  const claim = await claims.begin(request);
  assert.ok(claim instanceof Claim);
  return claim;
}

async function textOf(answer: Claim | KeptAnswer): Promise<string> {
  assert.ok(!(answer instanceof Claim));
  const pieces: Buffer[] = [];
  for await (const piece of answer.body()) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (error: unknown) => (error instanceof GatewayError ? error.code : String(error)),
  );

onEveryStore((open) => {
  test('the first carries it out; those beside it, here and elsewhere, wait and get its answer', async () => {
    const store = await open();
    const [here, there] = [await process(store, 'p1'), await process(store, 'p2')];
    const claim = await first(here);
    const waiting = [here.begin(request), there.begin(request)];
    const large = 'x'.repeat(600_000);
    claim.add(Buffer.from(large));
    claim.add(Buffer.from('end'));
    await claim.keep(200, head);
    for (const answer of await Promise.all(waiting)) {
      assert.ok(!(answer instanceof Claim));
      assert.deepEqual([answer.status, answer.head], [200, head]);
      assert.equal(await textOf(answer), `${large}end`);
    }
  });

  test('of many in several processes exactly one is the first', async () => {
    const store = await open();
    const processes = await Promise.all(['p1', 'p2', 'p3'].map((owner) => process(store, owner)));
    let firsts = 0;
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const found = await processes[index % 3]?.begin(request);
        if (!(found instanceof Claim)) return found === undefined ? '' : textOf(found);
        firsts++;
        found.add(Buffer.from('answer'));
        await found.keep(200, head);
        return 'answer';
      }),
    );
    assert.equal(firsts, 1);
    assert.deepEqual([...new Set(answers)], ['answer']);
  });

  test('a failure frees the key for the next one that waits', async () => {
    const store = await open();
    const claims = await process(store, 'p1');
    const claim = await first(claims);
    const waiting = claims.begin(request);
    claim.add(Buffer.from('half'));
    await claim.forget();
    const next = await waiting;
    assert.ok(next instanceof Claim);
    await next.forget();
  });

  test('who has waited long enough is told that it is still in progress; another body never fits', async () => {
    const store = await open();
    const claims = await process(store, 'p1', 300);
    const claim = await first(claims);
    assert.equal(await codeOf(claims.begin(request)), 'request_in_progress');
    assert.equal(await codeOf(claims.begin({ ...request, digest: 'other' })), 'idempotency_mismatch');
    await claim.keep(200, head);
    assert.equal(await codeOf(claims.begin({ ...request, digest: 'other' })), 'idempotency_mismatch');
    assert.ok((await claims.begin({ ...request, key: 'another' })) instanceof Claim);
    assert.ok((await claims.begin({ ...request, scope: 'another' })) instanceof Claim);
  });

  test('the key of a process that died is free; what it had carried out is not done again', async () => {
    const store = await open();
    const dead = await process(store, 'dead');
    await first(dead);
    const carriedOut = await dead.begin({ ...request, key: 'done' });
    assert.ok(carriedOut instanceof Claim);
    await store.transaction((transaction) => carriedOut.markDone(transaction));
    const living = await process(store, 'living', 200);
    assert.equal(await codeOf(living.begin(request)), 'request_in_progress', 'it may be alive');
    await store.transaction((transaction) => transaction.deleteFrom('processes').where('id', '=', 'dead').execute());
    assert.ok((await living.begin(request)) instanceof Claim);
    assert.equal(await codeOf(living.begin({ ...request, key: 'done' })), 'conflict');
  });

  test('after a day the key is free', async () => {
    const store = await open();
    const claims = await process(store, 'p1');
    await (await first(claims)).keep(200, head);
    await store.transaction((transaction) => transaction.updateTable('idempotency').set({ expires_at: 1 }).execute());
    assert.ok((await claims.begin(request)) instanceof Claim);
  });
});

describe('an idempotency key', () => {
  test('has 1 to 255 characters', () => {
    assert.equal(readIdempotencyKey(undefined), undefined);
    assert.equal(readIdempotencyKey('k'.repeat(255)), 'k'.repeat(255));
    for (const bad of ['', 'k'.repeat(256), ['a', 'b']]) assert.throws(() => readIdempotencyKey(bad), /1 to 255/);
  });
});
