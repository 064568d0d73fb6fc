// kill -9 in apply at random points (issue 33): run again, and the end is right.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { OPERATOR_KEY, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { CLI, type CliResult, json, runCli } from './run-cli.ts';

let gateway: TestGateway;
const folder = mkdtempSync(join(tmpdir(), 'tollgate-config-'));
const file = join(folder, 'many.yaml');
/** Enough for each run to show its progress. */
const MANY = 40;

before(async () => {
  gateway = await startTestGateway();
});
after(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true, force: true });
});

const environment = (): Record<string, string> => ({
  TOLLGATE_URL: gateway.address,
  TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
  UPSTREAM_KEY: 'sk-upstream-key-number-0001',
});
const run = (...args: string[]): Promise<CliResult> => runCli(args, environment());

/** Starts an apply and kills it once it has shown this much of its progress; gives what it printed. */
async function applyKilledAt(percent: number): Promise<string> {
  const args = ['--disable-warning=ExperimentalWarning', CLI, 'apply', '-f', file, '--yes'];
  const env = { PATH: process.env['PATH'] ?? '', ...environment() };
  const child = spawn(process.execPath, args, { env });
  let [out, err] = ['', ''];
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => {
    err += piece.toString();
    const reached = [...err.matchAll(/applying (\d+) %/g)].some(([, shown]) => Number(shown) >= percent);
    if (reached) child.kill('SIGKILL');
  });
  const signal = await new Promise((resolve) => child.on('close', (_, by) => resolve(by)));
  assert.equal(signal, 'SIGKILL', out + err);
  return out;
}

test('apply killed at random points and run again: nothing twice, nothing missing, every key was shown (contract-2 11)', async () => {
  const names = Array.from({ length: MANY }, (_, index) => `many-${index}`);
  writeFileSync(
    file,
    `version: 1
accounts:
${names.map((name) => `  ${name}: {}`).join('\n')}
models:
${names.map((name) => `  ${name}: { price: { unit: request, amount: "0.01" } }`).join('\n')}
channels:
  many: { provider: openai, base_url: https://upstream.example/v1, keys: [env:UPSTREAM_KEY], models: { many-0: x } }
tokens:
${names.map((name) => `  ${name}: { account: ${name} }`).join('\n')}
`,
  );
  let printed = '';
  // Of what is left each time. Tokens come last; the third is among them.
  for (const [least, most] of [
    [5, 15],
    [5, 25],
    [45, 60],
  ] as const)
    printed += await applyKilledAt(least + Math.floor(Math.random() * (most - least)));
  const last = await run('apply', '-f', file, '--yes');
  assert.equal(last.code, 0, last.err);
  printed += last.out;
  assert.match((await run('plan', '-f', file)).out, /^0 to create, 0 to change, 0 to remove\.\n$/);
  for (const kind of ['accounts', 'tokens', 'channels']) {
    const { data } = json(await run(kind, 'list', '--limit', '200', '--json'));
    const own = data.filter(({ name }: { name: string }) => name.startsWith('many'));
    assert.equal(own.length, kind === 'channels' ? 1 : MANY, kind);
  }
  const keys = Map.groupBy(
    printed.matchAll(/^key of token (\S+), shown only now: (\S+)$/gm),
    ([, token = '']) => token,
  );
  for (const name of names) {
    const answers = await Promise.all(
      (keys.get(name) ?? []).map(async ([, , key]) => {
        const usage = await fetch(`${gateway.address}/v1/usage`, { headers: { authorization: `Bearer ${key}` } });
        return usage.status;
      }),
    );
    assert.equal(answers.filter((status) => status === 200).length, 1, `${name}: ${answers.join()}`);
  }
});
