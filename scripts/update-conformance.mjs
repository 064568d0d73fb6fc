// `npm run conformance`: runs the grid of e2e/conformance and writes docs/conformance.md from what it saw.
import { spawnSync } from 'node:child_process';

const { status } = spawnSync(process.execPath, ['scripts/run-tests.mjs', 'e2e/conformance'], {
  stdio: 'inherit',
  env: { ...process.env, WRITE_CONFORMANCE: 'yes' },
});
process.exit(status ?? 1);
