// An upgrade on one machine (issue 33, point 7): who may take a port over, and what stays when the new process cannot start.
// take-over.long.test.ts does it under load.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startGatewayProcess } from '../faults/gateway-process.ts';
import { waitUntil } from '../support/wait.ts';
import { probeConnections } from './probe-connections.ts';

test('a port is taken over only on request; a new process that cannot start leaves the old one in place', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-take-over-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const settings = { databaseUrl: undefined, dataFolder: folder };
  const old = await startGatewayProcess(settings);
  t.after(() => old.end('SIGKILL'));
  const { port } = old;
  const environment = { ...process.env, TOLLGATE_DATA_DIR: folder, PORT: String(port), TOLLGATE_SANDBOX: 'off' };
  const start = (more: Record<string, string>, ...args: string[]): { status: number | null; stderr: string } =>
    spawnSync(process.execPath, ['dist/server/src/main.js', ...args], {
      env: { ...environment, ...more },
      encoding: 'utf8',
    });
  const isServed = async (): Promise<boolean> => (await fetch(`${old.address}/readyz`)).ok;

  const second = start({});
  assert.deepEqual([second.status, /PORT is taken .* --take-over/.test(second.stderr)], [1, true], second.stderr);
  const elsewhere = start({ HOST: '127.0.0.2' }, '--take-over');
  assert.match(elsewhere.stderr, /does not hand PORT over: it listens at HOST 127\.0\.0\.1/);
  const broken = start({ TOLLGATE_SECRET: 'another secret than that of the data' }, '--take-over');
  assert.equal(broken.status, 1, broken.stderr);
  assert.match(broken.stderr, /TOLLGATE_SECRET/);
  assert.ok(await isServed());
  await waitUntil(
    () => /the new process ended before it was ready/.test(old.lastWords()),
    'the old one has not noticed',
  );

  const ended = once(old.child, 'exit');
  const next = await startGatewayProcess(settings, { port, args: ['--take-over'] });
  t.after(() => next.end('SIGKILL'));
  assert.deepEqual(await ended, [0, null]);
  assert.ok(await isServed());
  assert.ok(existsSync(join(folder, `port-${port}.sock`)), 'the next one can be asked in its turn');
  assert.deepEqual(await next.end('SIGTERM'), { code: 0, signal: null });
  assert.ok(!existsSync(join(folder, `port-${port}.sock`)));
  const alone = await startGatewayProcess(settings, { port, args: ['--take-over'] });
  assert.deepEqual(await alone.end('SIGTERM'), { code: 0, signal: null }, 'nobody is there to take over from');
});

test('SIGUSR2 to "tollgate start" starts what is installed now in the place of what runs', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-take-over-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const settings = { databaseUrl: undefined, dataFolder: folder };
  const program = ['bin/tollgate.mjs', 'start'];
  const gateway = await startGatewayProcess(settings, { program });
  t.after(() => gateway.end('SIGKILL'));
  const pids = (): string[] =>
    spawnSync('pgrep', ['-P', String(gateway.child.pid)], { encoding: 'utf8' })
      .stdout.trim()
      .split('\n');
  const before = pids();
  assert.equal(before.length, 1);
  const probes = probeConnections(gateway.port);
  t.after(() => probes.end());
  gateway.child.kill('SIGUSR2');
  await waitUntil(() => pids().every((pid) => !before.includes(pid)), 'the old process stays', 60_000);
  assert.deepEqual(await probes.end(), []);
  assert.equal(gateway.child.exitCode, null);
  assert.deepEqual(await gateway.end('SIGTERM'), { code: 0, signal: null });
});
