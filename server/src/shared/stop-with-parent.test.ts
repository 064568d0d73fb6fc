import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';

const SCRIPT = `
  import { stopWithParent } from ${JSON.stringify(new URL('./stop-with-parent.ts', import.meta.url).href)};
  stopWithParent(() => { console.log('stopped'); process.exit(0); });
  console.log(process.pid);
  setTimeout(() => process.exit(1), 120_000);
`;

test(
  'a process whose parent is gone stops, as one does whose npm was killed',
  { skip: process.platform === 'win32' },
  async () => {
    const shell = spawn('sh', ['-c', '"$NODE" --input-type=module -e "$SCRIPT"; exit 1'], {
      env: { ...process.env, NODE: process.execPath, SCRIPT },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface(shell.stdout);
    const [pid] = (await once(lines, 'line')) as [string];
    assert.match(pid, /^\d+$/);
    const printed = once(lines, 'line');
    shell.kill('SIGKILL');
    assert.deepEqual(await printed, ['stopped']);
  },
);
