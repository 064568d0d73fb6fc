// Which code a report is about.
import { spawnSync } from 'node:child_process';

const ROOT = new URL('..', import.meta.url);

/** The commit, with a word when files differ from it; undefined outside of a clone. */
export function codeVersion(): string | undefined {
  const { status, stdout } = spawnSync('git', ['describe', '--always', '--abbrev=7', '--dirty'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : undefined;
}
