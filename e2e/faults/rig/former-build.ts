// A build of an earlier commit, to run beside the present one. Its libraries are the present ones.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrations } from '../../../server/src/store/migrations/index.ts';
import { Skipped } from '../command/skipped.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface FormerBuild {
  folder: string;
  version: string;
  remove(): void;
}

/** Of the commit before the newest migration: what a start of the present one has to change under it. */
export function makeFormerBuild(): FormerBuild {
  const commit = beforeNewestMigration();
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-former-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit), stdio: ['pipe', 'ignore', 'pipe'] });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    execFileSync(process.execPath, ['scripts/build-server.mjs'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, version: commit.slice(0, 7), remove };
}

function beforeNewestMigration(): string {
  const newest = `server/src/store/migrations/${migrations.at(-1)?.name}.ts`;
  try {
    const added = git('log', '--diff-filter=A', '--format=%H', '-1', '--', newest).toString().trim();
    return git('rev-parse', '--verify', `${added}^`).toString().trim();
  } catch (error) {
    throw new Skipped('the commits before the newest migration are not here', { cause: error });
  }
}

function git(...words: string[]): Buffer {
  return execFileSync('git', words, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 30 });
}
