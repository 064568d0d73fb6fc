// The Node that Portkey's own image has. On a newer one it costs about half and its streams fail, which is not what its
// users run; where there is no such Node it gets the one of this run.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const major = 'v20.';

function versionOf(program: string): string {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8', timeout: 5000 }).trim();
  } catch {
    return '';
  }
}

export function findPortkeyNode(searchPath = process.env['PATH'] ?? ''): { program: string; version: string } {
  for (const folder of searchPath.split(delimiter)) {
    const program = join(folder, 'node');
    if (folder === '' || !existsSync(program)) continue;
    const version = versionOf(program);
    if (version.startsWith(major)) return { program, version };
  }
  return { program: process.execPath, version: process.version };
}
