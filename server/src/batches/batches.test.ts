import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../errors/gateway-error.ts';
import { answersOf } from '../store/queries/batch-lines.ts';
import { changeBatch, findBatch } from '../store/queries/batches.ts';
import type { Store } from '../store/store.ts';
import { onEveryStore } from '../testing/stores.ts';
import { archiveResults } from './finish/archive-results.ts';
import { advanceBatch } from './finish/advance-batch.ts';
import { type BatchWorld, CHARGE, makeBatchWorld, SILENCE } from '../testing/batch-world.ts';

const never = new Promise<never>(() => {});

/** A store that a process dies in front of: what is asked of its ledger is never done. */
function deadLedger(store: Store): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'commit') return () => never;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

async function finished(world: BatchWorld, id: string): Promise<string[]> {
  const { state, output_file_id } = await world.look(id, 'b');
  assert.equal(state, 'completed');
  await world.booksAgree();
  return (await world.linesOf(output_file_id)).map(({ custom_id }) => custom_id);
}

onEveryStore((open) => {
  test('a process that dies after the charge: the line is not run again, and its answer counts (contract-2 8)', async (t) => {
    const world = await makeBatchWorld(t, await open());
    const { id } = await world.begin(['one']);
    world.behaviour.now = async (_, charge) => {
      await charge();
      await never;
    };
    const [line] = await world.claim('a');
    assert.ok(line);
    void world.run('a', line);
    while ((await world.settles()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await world.die('a');
    const [again] = await world.claim('b');
    assert.equal(again?.attempt, 2);
    await world.run('b', again);
    assert.deepEqual(await finished(world, id), ['one']);
    assert.deepEqual([world.calls.length, await world.settles()], [1, [`${id}/one ${CHARGE}`]]);
  });

  test('a process that dies between answer and charge: the line runs again and is charged once (contract-2 8)', async (t) => {
    const world = await makeBatchWorld(t, await open());
    const { id } = await world.begin(['one']);
    const [line] = await world.claim('a');
    assert.ok(line);
    void world.run('a', line, deadLedger(world.store));
    while ((await answersOf(world.store.reads, line)).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 5));
    await world.die('a');
    world.behaviour.now = (_, charge) => charge(700n);
    const [again] = await world.claim('b');
    assert.ok(again);
    await world.run('b', again);
    assert.deepEqual(await finished(world, id), ['one']);
    assert.deepEqual([world.calls.length, await world.settles()], [2, [`${id}/one 700`]]);
  });

  test('a process that slept meanwhile charges nothing more, and the answer that was charged stays (contract-2 8)', async (t) => {
    const world = await makeBatchWorld(t, await open());
    const { id } = await world.begin(['one']);
    const [line] = await world.claim('a');
    assert.ok(line);
    let wake = (): void => {};
    const asleep = new Promise<void>((resolve) => (wake = resolve));
    world.behaviour.now = async (_, charge) => {
      await asleep;
      await charge(111n);
    };
    const sleeper = world.run('a', line);
    await world.die('a');
    const [again] = await world.claim('b');
    assert.ok(again);
    world.behaviour.now = (_, charge) => charge(222n);
    await world.run('b', again);
    wake();
    await sleeper;
    assert.deepEqual(await finished(world, id), ['one']);
    assert.deepEqual(await world.settles(), [`${id}/one 222`]);
  });

  test('a failure for good whose process dies before the line is done is not run again (contract-2 8)', async (t) => {
    const world = await makeBatchWorld(t, await open());
    const { id } = await world.begin(['one', 'two']);
    world.behaviour.now = (call, charge) =>
      call.requestId.endsWith('/one') ? Promise.reject(new GatewayError('upstream_rejected')) : charge();
    const [one, two] = await world.claim('a');
    assert.ok(one && two);
    await world.run('a', one);
    await world.run('a', two);
    // As if the last write had not been made.
    await world.store.transaction((transaction) =>
      transaction
        .updateTable('batch_lines')
        .set({ state: 'running', owner: 'a', outcome: null, answer: null, lease_until: 0 })
        .where('custom_id', '=', 'one')
        .execute(),
    );
    const [again] = await world.claim('b');
    assert.ok(again);
    await world.run('b', again);
    const batch = await world.look(id, 'b');
    assert.deepEqual([batch.state, batch.succeeded, batch.errored], ['completed', 1, 1]);
    const [failed] = await world.linesOf(batch.error_file_id);
    assert.equal(failed?.custom_id, 'one');
    assert.equal(world.calls.length, 2);
    await world.booksAgree();
  });

  test('a line that comes to more than was held for it is not run: it ends errored and uncharged (contract-2 8, promise M-02)', async (t) => {
    const world = await makeBatchWorld(t, await open());
    const { id } = await world.begin(['covered', 'larger']);
    const lines = await world.claim('a');
    const most = lines[0]?.estimate ?? 0n;
    const ran: string[] = [];
    world.behaviour.now = async (call, charge) => {
      const amount = call.requestId.endsWith('/larger') ? most + 1n : most;
      assert.equal(await call.ledger.free({ tokenId: 'tok', mode: 'live' }), most);
      const asked = { requestId: call.requestId, accountId: 'acc', tokenId: 'tok', mode: 'live', price: '' } as const;
      await call.ledger.hold({ ...asked, amount, lifetime: 60 });
      ran.push(call.requestId);
      await charge();
    };
    for (const line of lines) await world.run('a', line);
    const batch = await world.look(id);
    assert.deepEqual([batch.state, batch.succeeded, batch.errored], ['completed', 1, 1]);
    assert.deepEqual([ran, await world.settles()], [[`${id}/covered`], [`${id}/covered ${CHARGE}`]]);
    const [failed] = await world.linesOf(batch.error_file_id);
    const answer = JSON.stringify(failed?.response);
    assert.match(answer, /"status_code":402,.*"code":"insufficient_quota"/);
    assert.match(answer, /"message":"This line may cost up to 0\.\d+, but only 0\.\d+ was held for it/);
    await world.booksAgree();
  });

  test('an upstream that fails is asked three times, a limited one again and again (contract-2 8)', async (t) => {
    const world = await makeBatchWorld(t, await open());
    const { id } = await world.begin(['failing', 'limited']);
    let limited = 0;
    world.behaviour.now = (call, charge) => {
      if (call.requestId.endsWith('/failing')) return Promise.reject(new GatewayError('upstream_error'));
      return ++limited < 6 ? Promise.reject(new GatewayError('rate_limit_exceeded', { retryAfter: 1 })) : charge();
    };
    for (let round = 0; round < 6; round++) {
      for (const line of await world.claim('a')) await world.run('a', line);
      assert.deepEqual(await world.claim('a'), [], 'what failed waits');
      world.clock.ms += 60_000;
    }
    const batch = await world.look(id);
    assert.deepEqual([batch.state, batch.succeeded, batch.errored], ['completed', 1, 1]);
    assert.deepEqual(
      ['failing', 'limited'].map((name) => world.calls.filter((call) => call.endsWith(name)).length),
      [3, 6],
    );
    await world.booksAgree();
  });

  test('lines under way stay within one bound over all processes, and batches take turns (contract-2 8)', async (t) => {
    const world = await makeBatchWorld(t, await open());
    const first = await world.begin(['1', '2', '3', '4', '5', '6']);
    const second = await world.begin(['1', '2', '3']);
    const [a, b] = await Promise.all([world.claim('a', 8, 4), world.claim('b', 8, 4)]);
    const claimed = [...a, ...b];
    assert.equal(claimed.length, 4);
    for (const { id } of [first, second])
      assert.equal(claimed.filter(({ batch_id }) => batch_id === id).length, 2, 'each batch has two slots');
    assert.deepEqual(await world.claim('c', 8, 4), []);
    assert.equal((await world.claim('c', 8, 5)).length, 1);
    await world.die('a');
    await world.die('b');
    const again = await world.claim('c', 8, 5);
    assert.ok(again.length === 4 && again.every(({ attempt }) => attempt === 2), 'lines of the dead come first');
  });

  test('too little money holds nothing; a submit that dies in its middle is taken back (contract-2 8)', async (t) => {
    const world = await makeBatchWorld(t, await open(), { balance: 100_000_000n });
    await assert.rejects(world.begin(Array.from({ length: 40 }, (_, index) => String(index))), { status: 402 });
    await world.booksAgree();
    assert.deepEqual(await world.store.reads.selectFrom('batches').select('id').execute(), []);
    assert.deepEqual(await world.store.reads.selectFrom('batch_lines').select('position').execute(), []);

    const { id } = await world.begin(['1', '2']);
    // Read while it was being made: by now it runs.
    const stale = { ...(await world.found(id)), state: 'holding' as const };
    assert.equal(await advanceBatch(world.dependenciesOf('b'), stale, SILENCE), false);
    assert.equal((await world.found(id)).state, 'in_progress');
    assert.equal((await world.store.reads.selectFrom('holds').select('id').execute()).length, 2);
    await changeBatch(world.store, id, { from: ['in_progress'], set: { state: 'holding' } });
    assert.equal(await advanceBatch(world.dependenciesOf('b'), await world.found(id), SILENCE), false);
    assert.equal(await findBatch(world.store.reads, id), undefined);
    await world.booksAgree();
  });

  test('a submit whose holds fail in their middle leaves none open (contract-2 8, promise M-03)', async (t) => {
    const world = await makeBatchWorld(t, await open());
    let holds = 0;
    const commit: Store['commit'] = async (operation) => {
      if (operation.kind === 'hold' && ++holds === 3) throw new Error('the store is away');
      return world.store.commit(operation);
    };
    const failing: Store = Object.create(world.store, { commit: { value: commit } });
    await assert.rejects(world.begin(['1', '2', '3', '4'], 'a', failing), /the store is away/);
    assert.ok(holds >= 3);
    await world.booksAgree();
    assert.deepEqual(await world.store.reads.selectFrom('batches').select('id').execute(), []);
  });

  test('at the end of its time what was answered is charged and the rest is released (contract-2 8)', async (t) => {
    const world = await makeBatchWorld(t, await open());
    const { id } = await world.begin(['1', '2', '3', '4']);
    const [first, second] = await world.claim('a', 2);
    assert.ok(first && second);
    await world.run('a', first);
    const late = { expires_at: (await world.store.now()) - 1 };
    await changeBatch(world.store, id, { from: ['in_progress'], set: late });
    assert.equal((await world.look(id)).state, 'in_progress', 'a line under way is waited for');
    assert.deepEqual(await world.claim('b'), [], 'no other line begins');
    await world.run('a', second);
    const batch = await world.look(id);
    assert.deepEqual([batch.state, batch.succeeded, batch.expired], ['expired', 2, 2]);
    const rest = await world.linesOf(batch.error_file_id);
    assert.deepEqual(
      rest.map(({ custom_id, error }) => [custom_id, error?.code]),
      [
        ['3', 'batch_expired'],
        ['4', 'batch_expired'],
      ],
    );
    assert.equal((await world.settles()).length, 2);
    await world.booksAgree();
  });

  test('results of message batches are kept for 29 days, then forgotten (contract-2 8)', async (t) => {
    const world = await makeBatchWorld(t, await open());
    const { id } = await world.begin(['1']);
    for (const line of await world.claim('a')) await world.run('a', line);
    await world.look(id);
    const now = await world.store.now();
    const days = async (count: number): Promise<number | null> => {
      const set = { style: 'anthropic', ended_at: now - count * 86_400 } as const;
      await changeBatch(world.store, id, { from: ['completed'], set });
      await archiveResults(world.dependenciesOf('a'));
      return (await world.found(id)).archived_at;
    };
    assert.equal(await days(28), null);
    assert.notEqual(await days(30), null);
  });

  test('files that were made before a crash are made again under the same ids (contract-2 8)', async (t) => {
    const world = await makeBatchWorld(t, await open());
    const { id } = await world.begin(['1', '2']);
    for (const line of await world.claim('a')) await world.run('a', line);
    const lines = await world.store.reads.selectFrom('batch_lines').selectAll().execute();
    const answers = await world.store.reads.selectFrom('batch_answers').selectAll().execute();
    const once = await world.look(id);
    // As if the process had died before the end was written.
    await world.store.transaction(async (transaction) => {
      const set = { state: 'finalizing', ended_at: null, completed_at: null } as const;
      await transaction.updateTable('batches').set(set).where('id', '=', id).execute();
      await transaction.insertInto('batch_lines').values(lines).execute();
      await transaction.insertInto('batch_answers').values(answers).execute();
    });
    const twice = await world.look(id, 'b');
    assert.deepEqual(
      [twice.state, twice.output_file_id, twice.error_file_id],
      ['completed', once.output_file_id, null],
    );
    assert.equal((await world.linesOf(twice.output_file_id)).length, 2);
    const files = await world.store.reads.selectFrom('files').select('id').execute();
    assert.deepEqual(files, [{ id: once.output_file_id }]);
  });
});
