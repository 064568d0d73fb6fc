// What must be true at the end of every simulation (promises 1.1 and 1.2), whatever crashed.
import assert from 'node:assert/strict';
import { ACCOUNT, CREDIT, TOKEN } from './fill-database.ts';
import type { Outcome } from './world.ts';

interface TaskEndFacts {
  id: string;
  state: string;
  charge: bigint | null;
  ends: number;
}

export function checkOutcome({ entries, answered, taskIds, provider, database }: Outcome): void {
  const rows = <T>(sql: string): T[] => database.run(sql, []).rows as T[];
  assert.equal(rows('select id from holds').length, 0, 'a hold is open');
  const ofHold = Map.groupBy(entries, ({ hold_id }) => hold_id);
  let spent = 0n;
  for (const [holdId, own] of ofHold) {
    if (holdId === null) continue;
    const amountsOf = (kind: string): bigint[] =>
      own.filter((entry) => entry.kind === kind).map(({ amount }) => amount);
    const [holds, settles, releases] = [amountsOf('hold'), amountsOf('settle'), amountsOf('release')];
    assert.equal(holds.length, 1, `${holdId} was held ${holds.length} times`);
    assert.ok(settles.length <= 1 && releases.length <= 1 && settles.length + releases.length > 0, `ends of ${holdId}`);
    assert.equal((settles[0] ?? 0n) + (releases[0] ?? 0n), holds[0], `${holdId}: settle + release = hold`);
    spent += settles[0] ?? 0n;
  }
  for (const { balance_after } of entries) assert.ok(balance_after >= 0n, 'the balance went below zero');
  for (const [id, charge] of answered)
    assert.deepEqual(
      entries.filter(({ request_id, kind }) => request_id === id && kind === 'settle').map(({ amount }) => amount),
      [charge],
      `charge of the answered ${id}`,
    );
  const [account] = rows<{ balance: bigint }>(`select balance from accounts where id = '${ACCOUNT}'`);
  const [token] = rows<{ used: bigint; held: bigint }>(`select used, held from tokens where id = '${TOKEN}'`);
  assert.deepEqual(
    [account?.balance, token?.used, token?.held],
    [CREDIT - spent, spent, 0n],
    'granted = left + held + spent',
  );

  const tasks = rows<TaskEndFacts>(
    "select id, state, charge, (select count(*) from task_events e where e.task_id = t.id and status in ('SUCCESS', 'FAILURE')) as ends from tasks t",
  );
  const known = new Set(tasks.map(({ id }) => id));
  for (const id of taskIds) assert.ok(known.has(id), `${id} was answered and is gone`);
  for (const { id, state, charge, ends } of tasks) {
    assert.ok(state === 'SUCCESS' || state === 'FAILURE', `${id} is ${state}`);
    assert.equal(ends, 1, `${id} ended ${ends} times`);
    const settled = entries
      .filter(({ task_id, kind }) => task_id === id && kind === 'settle')
      .map(({ amount }) => amount);
    assert.deepEqual(settled, state === 'SUCCESS' ? [charge] : [], `money of ${state} ${id}`);
  }
  const prompts = [...provider.videos.values()].map(({ prompt }) => prompt);
  assert.equal(new Set(prompts).size, prompts.length, 'a task was submitted twice');
}
