// Installs the pinned clients in the scratch folder: an environment for each file of requirements, and one folder for npm.
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const here = import.meta.dirname;
const LONG = { timeout: 30 * 60_000, maxBuffer: 64 * 1024 * 1024 };
const DONE = '.installed';

export function javascriptFolder(scratch: string): string {
  return join(scratch, 'javascript');
}

export function environmentFolder(scratch: string, requirements: string): string {
  return join(scratch, basename(requirements, '.txt'));
}

/** Why it cannot be installed; undefined when it is. */
export async function installPython(scratch: string, requirements: string): Promise<string | undefined> {
  const folder = environmentFolder(scratch, requirements);
  if (existsSync(join(folder, DONE))) return undefined;
  try {
    await run('python3', ['-m', 'venv', folder], LONG);
    const pip = join(folder, 'bin', 'pip');
    await run(pip, ['install', '--quiet', '--disable-pip-version-check', '-r', join(here, requirements)], LONG);
    writeFileSync(join(folder, DONE), '');
    return undefined;
  } catch (error) {
    return lastLine(error);
  }
}

export async function installJavaScript(scratch: string): Promise<string | undefined> {
  const folder = javascriptFolder(scratch);
  mkdirSync(folder, { recursive: true });
  for (const file of [join(here, 'package.json'), ...globSync(join(here, 'javascript', '*.mjs'))])
    copyFileSync(file, join(folder, basename(file)));
  if (existsSync(join(folder, DONE))) return undefined;
  try {
    await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, ...LONG });
    writeFileSync(join(folder, DONE), '');
    return undefined;
  } catch (error) {
    return lastLine(error);
  }
}

function lastLine(error: unknown): string {
  const { stderr = '', message = '' } = error as { stderr?: string; message?: string };
  return (stderr.trim().split('\n').at(-1) || message).slice(0, 300);
}
