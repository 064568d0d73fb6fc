// The gateway as people start it: a process of its own, judged by what it prints, answers and returns.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { waitUntil } from './wait.ts';

/** What `npm start` runs; the test command builds it. */
const MAIN = fileURLToPath(new URL('../../dist/server/src/main.js', import.meta.url));

export interface Printed {
  address: string;
  console: string | undefined;
  operator: string | undefined;
  password: string | undefined;
  demoToken: string | undefined;
  curl: string | undefined;
}

export interface GatewayProcess {
  child: ChildProcess;
  /** Everything printed so far. */
  output(): { stdout: string; stderr: string };
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Nothing of this process's own environment gets in but the way to programs and to what is compiled already. */
export function spawnGateway(settings: Record<string, string>): GatewayProcess {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      PORT: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    child,
    output: () => ({ stdout, stderr }),
    ended,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null) child.kill(signal);
      return ended;
    },
  };
}

/** Waits until it says that it is ready, and reads what it printed. */
export async function startProcess(
  settings: Record<string, string>,
): Promise<GatewayProcess & { printed: Printed; address: string }> {
  const started = spawnGateway(settings);
  await waitUntil(() => {
    if (started.child.exitCode !== null) throw new Error(`it ended: ${JSON.stringify(started.output())}`);
    // A busy process may log behind what it says at its start.
    return /API docs .*\n(?:.*\n)*\n$/.test(started.output().stdout.replaceAll(/^\{.*\n/gm, ''));
  }, 'the gateway does not say that it is ready').catch(async (error: unknown) => {
    await started.stop('SIGKILL');
    throw error;
  });
  const printed = readPrinted(started.output().stdout);
  return { ...started, printed, address: printed.address };
}

function readPrinted(stdout: string): Printed {
  const line = (label: string): string | undefined => new RegExp(`^ *${label} +(\\S+)`, 'm').exec(stdout)?.[1];
  return {
    address: /ready at (\S+)/.exec(stdout)?.[1] ?? '',
    console: line('Console'),
    operator: line('Operator'),
    password: line('Password'),
    demoToken: line('Demo token'),
    curl: /^ *(curl .*)$/m.exec(stdout)?.[1],
  };
}
