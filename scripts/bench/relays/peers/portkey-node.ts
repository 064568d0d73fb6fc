// The Node that Portkey's own image has (node:20-alpine), or that of this run where the machine has none of that kind. On
// Node 24 a small chat costs Portkey about half, which the notes of a run say.
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
