import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { costIsKnown, cpuMicroseconds, processTree, residentMegabytes } from './cost.ts';

test('several roots and their children are counted together, each process once', { skip: !costIsKnown }, async (t) => {
  const child = spawn('sh', ['-c', 'sleep 600 & echo $!; wait']);
  t.after(() => {
    for (const pid of processTree(child.pid === undefined ? [] : [child.pid]).toReversed())
      process.kill(pid, 'SIGKILL');
  });
  const { pid = 0 } = child;
  const [text] = (await once(child.stdout, 'data')) as [Buffer];
  const grandchild = Number(String(text));
  assert.deepEqual(processTree([pid]), [pid, grandchild]);
  const all = processTree([process.pid, pid, grandchild]);
  assert.equal(new Set(all).size, all.length, 'a child that is also given as a root is counted once');
  for (const counted of [process.pid, pid, grandchild]) assert.ok(all.includes(counted));
  assert.ok(residentMegabytes([pid, grandchild]) > 0);
  assert.ok(cpuMicroseconds([process.pid]) > 0);
  assert.equal(cpuMicroseconds([]), 0);
});
