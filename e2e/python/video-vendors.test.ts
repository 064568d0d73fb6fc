// The vendors' Python libraries against the sandbox, where Python has them (TEST_PYTHON names another interpreter). What
// they send is also recorded in server/src/sandbox/video/python-libraries.test.ts, which needs no Python.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startSandbox } from '../../server/src/sandbox/server.ts';

const python = process.env['TEST_PYTHON'] ?? 'python3';
const found = spawnSync(python, ['-c', 'import dashscope, volcenginesdkarkruntime']);
const skip = found.status === 0 ? false : `${python} has no dashscope and volcengine-ark-runtime`;

test('dashscope and Ark create, poll, list, cancel and delete tasks on the sandbox', { skip }, async () => {
  const sandbox = await startSandbox();
  try {
    const { stdout } = await promisify(execFile)(python, ['e2e/python/video_vendors.py', sandbox.address]);
    assert.equal(stdout.match(/^ok /gm)?.length, 20, stdout);
  } finally {
    await sandbox.stop();
  }
});
