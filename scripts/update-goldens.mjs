// Rewrites server/src/protocols/__golden__ from what the protocols say now. Read the difference before keeping it.
import { spawnSync } from 'node:child_process';

const run = (command, args, env = {}) => {
  const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  if (status !== 0) process.exit(status ?? 1);
};
run(process.execPath, ['--test', 'server/src/protocols/golden.test.ts'], { UPDATE_GOLDENS: '1' });
run(process.execPath, ['node_modules/oxfmt/bin/oxfmt', 'server/src/protocols/__golden__']);
