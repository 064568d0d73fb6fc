// Runs the command line as a person does: a process of its own with its own environment.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What `tollgate` runs; the test command builds it. */
export const CLI = fileURLToPath(new URL('../../dist/server/src/tollgate.js', import.meta.url));

/** Half of what a short command costs is the compiling of its text. */
export const NODE_COMPILE_CACHE = fileURLToPath(
  new URL('../../node_modules/.cache/compiled-for-tests', import.meta.url),
);

export interface CliResult {
  code: number | null;
  out: string;
  err: string;
}

export function runCli(
  args: string[],
  environment: Record<string, string>,
  { cwd, input, closeOutput }: { cwd?: string; input?: string; closeOutput?: boolean } = {},
): Promise<CliResult> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CLI, ...args], {
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE, ...environment },
    ...(cwd !== undefined && { cwd }),
  });
  const result: CliResult = { code: null, out: '', err: '' };
  if (closeOutput === true) child.stdout.destroy();
  child.stdout.on('data', (piece: Buffer) => (result.out += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (result.err += piece.toString()));
  child.stdin.end(input ?? '');
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ ...result, code }));
  });
}

/** What a command printed with `--json`; it must have succeeded. */
// oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
export function json({ code, out, err }: CliResult): any {
  assert.equal(code, 0, err);
  return JSON.parse(out);
}
