// Batches and deadlines against a scripted engine; time is moved by hand.
import assert from 'node:assert/strict';
import { describe, mock, test, type TestContext } from 'node:test';
import { GatewayError } from '../../errors/gateway-error.ts';
import { endOperation, holdOperation } from '../../testing/fixtures.ts';
import { type BatchEngine, GroupCommit } from './group-commit.ts';
import type { LedgerOperation, LedgerResult } from './operations.ts';

type Commit = (operations: LedgerOperation[]) => Promise<LedgerResult[]>;

const hold = (id: string): LedgerOperation => holdOperation({ id, account_id: 'acc', token_id: 'tok', amount: 1n });
const idOf = (operation: LedgerOperation): string => {
  if (operation.kind === 'hold') return operation.hold.id;
  if (operation.kind === 'move') return operation.row.id;
  return operation.kind === 'log' ? operation.request.id : operation.holdId;
};
const good = (operations: LedgerOperation[]): LedgerResult[] =>
  operations.map((operation) => (operation.kind === 'hold' ? 'held' : 'settled'));

/** Remembers the ids of each batch and answers by a script. */
class FakeEngine implements BatchEngine {
  readonly batches: string[][] = [];
  answer: Commit;

  constructor(answer: Commit = async (operations) => good(operations)) {
    this.answer = answer;
  }

  refuses(error: unknown): boolean {
    return error instanceof Error && error.message.startsWith('violates');
  }

  commit(operations: LedgerOperation[]): Promise<LedgerResult[]> {
    this.batches.push(operations.map(idOf));
    return this.answer(operations);
  }
}

/** Stops the clock and the timers; the answer moves both on, a little at a time. */
function stopTime(t: TestContext): (milliseconds: number) => Promise<void> {
  const realImmediate = setImmediate;
  let now = 1_000;
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  t.mock.method(performance, 'now', () => now);
  return async (milliseconds) => {
    for (let left = milliseconds; left > 0; left -= 50) {
      now += 50;
      t.mock.timers.tick(50);
      await new Promise((resolve) => realImmediate(resolve));
    }
  };
}

/** What has become of a promise by now. */
function watch<T>(promise: Promise<T>): { state: 'waiting' | 'done' | 'refused'; value?: T; error?: unknown } {
  const seen: { state: 'waiting' | 'done' | 'refused'; value?: T; error?: unknown } = { state: 'waiting' };
  promise.then(
    (value) => Object.assign(seen, { state: 'done', value }),
    (error: unknown) => Object.assign(seen, { state: 'refused', error }),
  );
  return seen;
}

const isOverloaded = (error: unknown): boolean =>
  error instanceof GatewayError &&
  error.code === 'overloaded' &&
  error.status === 503 &&
  (error.details.retryAfter ?? 0) > 0;

/** An engine that begins its commits at once and ends each when asked. */
function slowEngine(): { engine: FakeEngine; finish: () => void } {
  const waiting: (() => void)[] = [];
  const engine = new FakeEngine(
    (operations) => new Promise((resolve) => waiting.push(() => resolve(good(operations)))),
  );
  return { engine, finish: () => waiting.shift()?.() };
}

const settled = async (): Promise<void> => {
  for (let round = 0; round < 5; round++) await new Promise((resolve) => setImmediate(resolve));
};

describe('batches', () => {
  test('operations of one tick share one commit, in order, each with its own result', async () => {
    const engine = new FakeEngine(async (operations) =>
      operations.map((operation) => (idOf(operation) === 'b' ? 'quota_too_low' : 'held')),
    );
    const group = new GroupCommit(engine);
    const results = await Promise.all(['a', 'b', 'c'].map((id) => group.submit(hold(id))));
    assert.deepEqual(results, ['held', 'quota_too_low', 'held']);
    assert.deepEqual(engine.batches, [['a', 'b', 'c']]);
  });

  test('an operation waits for others of its round, unless the last one came alone', async () => {
    const engine = new FakeEngine();
    const group = new GroupCommit(engine);
    const ticks = async (): Promise<void> => {
      for (let count = 0; count < 10; count++) await Promise.resolve();
    };
    await Promise.all([group.submit(hold('a')), group.submit(hold('b'))]);
    const joined = [group.submit(hold('c'))];
    await ticks();
    joined.push(group.submit(hold('d')));
    await Promise.all(joined);
    await group.submit(hold('e'));
    const alone = group.submit(hold('f'));
    await ticks();
    assert.deepEqual(engine.batches, [['a', 'b'], ['c', 'd'], ['e'], ['f']]);
    await alone;
  });

  test('while one batch is being committed the next one fills, and only one is under way', async () => {
    const { engine, finish } = slowEngine();
    const group = new GroupCommit(engine);
    const first = group.submit(hold('a'));
    await settled();
    const later = ['b', 'c', 'd'].map((id) => group.submit(hold(id)));
    await settled();
    assert.deepEqual(engine.batches, [['a']]);
    finish();
    assert.equal(await first, 'held');
    await settled();
    assert.deepEqual(engine.batches, [['a'], ['b', 'c', 'd']]);
    finish();
    await Promise.all(later);
    await group.idle();
  });

  test('a crowd is committed in bounded batches without changing its order', async () => {
    const engine = new FakeEngine();
    const group = new GroupCommit(engine);
    const ids = Array.from({ length: 1_701 }, (_, index) => `h${index}`);
    await Promise.all(ids.map((id) => group.submit(hold(id))));
    assert.deepEqual(engine.batches.flat(), ids);
    assert.ok(engine.batches.length < 20, `${engine.batches.length} batches`);
    for (const batch of engine.batches) assert.ok(batch.length <= 1_000, `a batch of ${batch.length}`);
  });

  test('is idle only when everything submitted is answered', async () => {
    const { engine, finish } = slowEngine();
    const group = new GroupCommit(engine);
    const first = watch(group.submit(hold('a')));
    const idle = watch(group.idle());
    await settled();
    const second = watch(group.submit(endOperation('a', 1n)));
    await settled();
    assert.equal(idle.state, 'waiting');
    finish();
    await settled();
    assert.deepEqual([first.state, idle.state], ['done', 'waiting']);
    finish();
    await settled();
    assert.deepEqual([second.state, idle.state], ['done', 'done']);
    await group.idle();
  });

  test('a result that is missing is an error of its operation alone', async () => {
    const group = new GroupCommit(new FakeEngine(async () => ['held']));
    const [first, second] = [group.submit(hold('a')), watch(group.submit(hold('b')))];
    assert.equal(await first, 'held');
    await settled();
    assert.equal(second.state, 'refused');
  });
});

describe('failures', () => {
  test('one operation that the database refuses does not take the others of its batch along', async (t) => {
    const pass = stopTime(t);
    const engine = new FakeEngine(async (operations) => {
      if (operations.some((operation) => idOf(operation) === 'bad')) throw new Error('violates a check');
      return good(operations);
    });
    const group = new GroupCommit(engine);
    const seen = ['a', 'bad', 'c'].map((id) => watch(group.submit(hold(id))));
    await pass(100);
    assert.deepEqual(
      seen.map(({ state }) => state),
      ['done', 'refused', 'done'],
    );
    const later = watch(group.submit(hold('d')));
    await pass(5_000);
    assert.equal(later.state, 'done', 'those that come later are served beside it');
    assert.equal(seen[1]?.state, 'refused');
    assert.equal((seen[1]?.error as GatewayError | undefined)?.code, 'internal_error');
    assert.match(String((seen[1]?.error as Error | undefined)?.cause), /violates a check/);
  });

  test('a batch whose outcome is unknown is sent again', async (t) => {
    const pass = stopTime(t);
    let failures = 1;
    const engine = new FakeEngine(async (operations) => {
      if (failures-- > 0) throw new Error('connection lost after commit');
      return good(operations);
    });
    const group = new GroupCommit(engine);
    const seen = [hold('a'), endOperation('x', 5n)].map((operation) => watch(group.submit(operation)));
    await pass(1_000);
    assert.deepEqual(
      seen.map(({ value }) => value),
      ['held', 'settled'],
    );
    assert.deepEqual(engine.batches[0], ['a', 'x']);
    assert.deepEqual(engine.batches.slice(1).flat(), ['a', 'x'], 'each operation is sent once more');
  });

  test('an operation alone in its batch is sent again too', async (t) => {
    const pass = stopTime(t);
    let failures = 2;
    const engine = new FakeEngine(async (operations) => {
      if (failures-- > 0) throw new Error('connection lost');
      return good(operations);
    });
    const seen = watch(new GroupCommit(engine).submit(hold('a')));
    await pass(1_500);
    assert.equal(seen.value, 'held');
    assert.deepEqual(engine.batches, [['a'], ['a'], ['a']]);
  });
});

describe('deadlines', () => {
  const away: Commit = async () => {
    throw new Error('connect ECONNREFUSED');
  };

  test('a new call is refused within a few seconds while the store is away, with 503 and Retry-After', async (t) => {
    const pass = stopTime(t);
    const seen = watch(new GroupCommit(new FakeEngine(away)).submit(hold('a')));
    await pass(1_500);
    assert.equal(seen.state, 'waiting', 'a short absence is waited out');
    await pass(3_000);
    assert.equal(seen.state, 'refused');
    assert.ok(isOverloaded(seen.error));
  });

  test('the end of a call that has happened waits much longer, and is made when the store returns', async (t) => {
    const pass = stopTime(t);
    const engine = new FakeEngine(away);
    const seen = watch(new GroupCommit(engine).submit(endOperation('a', 5n)));
    await pass(20_000);
    assert.equal(seen.state, 'waiting');
    assert.ok(engine.batches.length < 100, `asked ${engine.batches.length} times in 20 s`);
    engine.answer = async (operations) => good(operations);
    await pass(3_000);
    assert.equal(seen.value, 'settled');
  });

  test('even the end of a call is not waited for without limit', async (t) => {
    const pass = stopTime(t);
    const seen = watch(new GroupCommit(new FakeEngine(away)).submit(endOperation('a', 5n)));
    await pass(60_000);
    assert.equal(seen.state, 'refused');
    assert.ok(isOverloaded(seen.error));
  });

  test('new calls are refused in time although ends keep waiting in the same queue', async (t) => {
    const pass = stopTime(t);
    const group = new GroupCommit(new FakeEngine(away));
    const ends = Array.from({ length: 50 }, (_, index) => watch(group.submit(endOperation(`e${index}`, 1n))));
    await pass(5_000);
    const call = watch(group.submit(hold('a')));
    await pass(5_000);
    assert.equal(call.state, 'refused');
    assert.ok(ends.every(({ state }) => state === 'waiting'));
  });

  test('many calls that wait for a store that takes long to fail are all refused within 15 s (FT-04)', async (t) => {
    const pass = stopTime(t);
    const slowAway: Commit = () =>
      new Promise((_, reject) => setTimeout(() => reject(new Error('timeout exceeded when trying to connect')), 2_000));
    const group = new GroupCommit(new FakeEngine(slowAway));
    const calls = Array.from({ length: 40 }, (_, index) => watch(group.submit(hold(`h${index}`))));
    await pass(15_000);
    assert.equal(calls.filter(({ state }) => state === 'waiting').length, 0, 'calls still waiting');
  });
});

describe('the queue', () => {
  test('is bounded: a new call is refused at once when the store is far behind, the end of a call never is', async () => {
    const { engine, finish } = slowEngine();
    const group = new GroupCommit(engine);
    const refused = mock.fn();
    const pending: Promise<unknown>[] = [];
    for (let index = 0; index < 25_000; index++) pending.push(group.submit(hold(`h${index}`)).catch(refused));
    await settled();
    const count = refused.mock.callCount();
    assert.ok(count > 0 && count < 25_000, `${count} were refused`);
    assert.ok(refused.mock.calls.every((call) => isOverloaded(call.arguments[0])));
    const end = group.submit(endOperation('h1', 1n));
    const finishing = setInterval(finish, 0);
    assert.equal(await end, 'settled');
    await Promise.all(pending);
    await group.idle();
    clearInterval(finishing);
  });
});
