import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DeleteQueryNode, type KyselyPlugin, type QueryId, SelectQueryNode } from 'kysely';
import { GatewayError } from '../../errors/gateway-error.ts';
import { makeSecretBox } from '../../shared/secret-box.ts';
import { wait } from '../../shared/wait.ts';
import { forgetExpired } from '../../store/queries/idempotency.ts';
import { heartbeat, removeProcess } from '../../store/queries/processes.ts';
import type { Store } from '../../store/store.ts';
import type { TaskRow } from '../../store/queries/tasks.ts';
import { addAccount, addToken } from '../../testing/fixtures.ts';
import { taskHold, taskRow } from '../../testing/task-rows.ts';
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

async function first(claims: Claims, requestId = 'req_1'): Promise<Claim> {
  const claim = await claims.begin({ ...request, requestId });
  assert.ok(claim instanceof Claim);
  return claim;
}

/** The task of a submit, with its hold. */
async function addTask(store: Store, requestId: string, more: Partial<TaskRow> = {}): Promise<void> {
  const row = taskRow({ id: `task_of_${requestId}`, request_id: requestId, state: 'SUBMITTED', ...more });
  assert.equal(await store.commit(taskHold(row)), 'held');
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

/** The store as it is to one that is slow: `meanwhile` happens once, right after the first query of that kind in a transaction. */
function slowAfter(
  store: Store,
  { is }: typeof SelectQueryNode | typeof DeleteQueryNode,
  meanwhile: () => Promise<void>,
): Store {
  let reading: QueryId | undefined;
  let happened = false;
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (is(node)) reading ??= queryId;
      return node;
    },
    async transformResult({ result, queryId }) {
      if (queryId === reading && !happened) {
        happened = true;
        await meanwhile();
      }
      return result;
    },
  };
  return new Proxy(store, {
    get(target, name) {
      if (name !== 'transaction') return Reflect.get(target, name, target) as unknown;
      return (work: Parameters<Store['transaction']>[0]) =>
        target.transaction((transaction) => work(transaction.withPlugin(plugin)));
    },
  });
}

async function withMoney(store: Store): Promise<Store> {
  await addAccount(store, { id: 'acc', balance: 1_000_000n });
  await addToken(store, { id: 'tok', account_id: 'acc' });
  return store;
}

onEveryStore((open, dialect) => {
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

  // On SQLite one writes at a time, so that nothing can happen between.
  test(
    'an answer that is kept while another looks at the key is not made again',
    { skip: dialect === 'sqlite' },
    async () => {
      for (const isDone of [false, true]) {
        const store = await open();
        let claim: Claim | undefined;
        const claims = await process(
          slowAfter(store, SelectQueryNode, async () => {
            assert.ok(claim !== undefined);
            await Promise.race([claim.keep(200, head), wait(300)]); // who locks the key lets it wait
          }),
          'p1',
        );
        claim = await first(claims);
        claim.add(Buffer.from('answer'));
        if (isDone) await store.transaction((transaction) => claim?.markDone(transaction) ?? Promise.resolve());
        assert.equal(await textOf(await claims.begin(request)), 'answer');
      }
    },
  );

  test('a key is taken over while what has expired is forgotten', { skip: dialect === 'sqlite' }, async () => {
    const store = await open();
    const claims = await process(store, 'p1');
    const claim = await first(claims);
    claim.add(Buffer.from('answer'));
    await claim.keep(200, head);
    await store.transaction((transaction) => transaction.updateTable('idempotency').set({ expires_at: 1 }).execute());
    let taken: Promise<Claim> | undefined;
    await forgetExpired(
      slowAfter(store, DeleteQueryNode, async () => {
        taken = first(claims, 'req_2');
        taken.catch(() => {});
        await wait(300); // until it waits for a lock
      }),
    );
    assert.ok((await taken) instanceof Claim);
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

  test('a call that has waited long enough gets that it is still in progress; another body never fits (contract 4)', async () => {
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
    await removeProcess(store, 'dead');
    assert.ok((await living.begin(request)) instanceof Claim);
    assert.equal(await codeOf(living.begin({ ...request, key: 'done' })), 'conflict');
  });

  test('what a process made before it died is given to the process that takes its key over, however many die', async () => {
    const store = await withMoney(await open());
    await first(await process(store, 'p1'), 'req_1');
    await addTask(store, 'req_1');
    for (const [dead, next] of [1, 2, 3].map((number) => [`p${number}`, `p${number + 1}`] as const)) {
      await removeProcess(store, dead);
      const living = await process(store, next, 200);
      assert.equal(await codeOf(living.begin({ ...request, digest: 'other' })), 'idempotency_mismatch');
      const claim = await first(living, `req_${next}`);
      assert.deepEqual(claim.made, { id: 'task_of_req_1', requestId: 'req_1' });
    }
  });

  test('a process that died before it made anything leaves nothing, and the next one is known by its own request', async () => {
    const store = await withMoney(await open());
    await first(await process(store, 'p1'), 'req_1');
    await removeProcess(store, 'p1');
    assert.equal((await first(await process(store, 'p2'), 'req_2')).made, undefined);
    await addTask(store, 'req_2');
    await removeProcess(store, 'p2');
    assert.equal((await first(await process(store, 'p3'), 'req_3')).made?.requestId, 'req_2');
  });

  test('a request that fails after its task was taken frees the key for that task alone', async () => {
    const store = await withMoney(await open());
    const claims = await process(store, 'p1');
    const claim = await first(claims, 'req_1');
    await addTask(store, 'req_1', { upstream_id: 'cgt-1' });
    await claim.forget();
    const second = await first(claims, 'req_2');
    assert.equal(second.made?.id, 'task_of_req_1');
    await second.forget();
    assert.equal(await codeOf(claims.begin({ ...request, digest: 'other' })), 'idempotency_mismatch');
    const third = await first(claims, 'req_3');
    assert.equal(third.made?.id, 'task_of_req_1');
    await third.forget();
    const other = await process(store, 'p2', 200);
    assert.equal((await first(other, 'req_4')).made?.id, 'task_of_req_1', 'also elsewhere, while the first lives');
  });

  test('a request that fails without having sent its task frees the key for any', async () => {
    const store = await withMoney(await open());
    const claims = await process(store, 'p1');
    for (const [requestId, left] of [
      ['req_1', { state: 'CREATED' }],
      ['req_2', { state: 'FAILURE', deleted_at: 1, completed_at: 1 }],
    ] as const) {
      const claim = await first(claims, requestId);
      await addTask(store, requestId, left);
      await claim.forget();
    }
    assert.equal((await first(claims, 'req_3')).made, undefined);
  });

  test('after a day the key is free', async () => {
    const store = await open();
    const claims = await process(store, 'p1');
    const later = (): Promise<unknown> =>
      store.transaction((transaction) => transaction.updateTable('idempotency').set({ expires_at: 1 }).execute());
    await (await first(claims)).keep(200, head);
    await later();
    await first(claims, 'req_2');
    await addTask(await withMoney(store), 'req_2');
    await later();
    assert.equal((await first(claims, 'req_3')).made, undefined, 'and what was made under it is done with');
  });
});

describe('an idempotency key', () => {
  test('has 1 to 255 characters', () => {
    assert.equal(readIdempotencyKey(undefined), undefined);
    assert.equal(readIdempotencyKey('k'.repeat(255)), 'k'.repeat(255));
    for (const bad of ['', 'k'.repeat(256), ['a', 'b']]) assert.throws(() => readIdempotencyKey(bad), /1 to 255/);
  });
});
