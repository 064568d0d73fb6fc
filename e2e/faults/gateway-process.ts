// The gateway as a process of its own, as an operator runs it: started, killed and stopped by its id.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { startFlags } from '../../scripts/start-flags.ts';
import type { StoreSettings } from '../../server/src/store/open-store.ts';

export const OPERATOR_KEY = 'operator-key-of-the-fault-tests';
const SECRET = 'master-secret-of-the-fault-tests';
const root = fileURLToPath(new URL('../..', import.meta.url));
/** Of what never starts: on a machine that is busy with other tests a start takes minutes. */
const START_MS = 300_000;
/** What a process wrote last may be read after its end. */
const LAST_WORDS_MS = 500;

/** However the test ends, its processes do too. */
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

export interface GatewayProcess {
  address: string;
  port: number;
  child: ChildProcess;
  /** Date.now() when the process was spawned, and when it answered. */
  spawnedAt: number;
  readyAt: number;
  /** The end of what it wrote, for messages. */
  lastWords(): string;
  /** Sends the signal and waits for the end. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<{ code: number | null; signal: string | null }>;
}

/** Those who ask at the same time could otherwise be given the same one. */
const givenPorts = new Set<number>();

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  if (givenPorts.has(address.port)) return freePort();
  givenPorts.add(address.port);
  return address.port;
}

export interface StartOptions {
  /** Given to come back at the same address. */
  port?: number | undefined;
  environment?: Record<string, string> | undefined;
  /** The program and its arguments, for a gateway that is to fail in a chosen place. */
  program?: readonly string[] | undefined;
  /** Behind the program. */
  args?: readonly string[] | undefined;
  /** The folder of another build; else the present one. */
  folder?: string | undefined;
  /** Where its log goes instead of being read. */
  output?: number | undefined;
  /** It may be dead before it was seen alive. */
  mayDie?: boolean | undefined;
}

/** Resolves when the gateway answers /readyz. */
export async function startGatewayProcess(
  settings: StoreSettings,
  options: StartOptions = {},
): Promise<GatewayProcess> {
  const chosen = options.port ?? (await freePort());
  const spawnedAt = Date.now();
  const child = spawn(
    process.execPath,
    options.program ?? [...startFlags, 'dist/server/src/main.js', ...(options.args ?? [])],
    {
      cwd: options.folder ?? root,
      env: { ...environment(settings, chosen), ...options.environment },
      stdio: ['ignore', options.output ?? 'pipe', 'pipe'],
    },
  );
  children.add(child);
  let words = '';
  let hasWelcomed = false;
  for (const output of [child.stdout, child.stderr])
    output?.on('data', (chunk: Buffer) => {
      words = (words + chunk.toString()).slice(-4_000);
      hasWelcomed ||= words.includes(`ready at http://127.0.0.1:${chosen}`);
    });
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
  const closed = once(child, 'close');
  const gateway: GatewayProcess = {
    address: `http://127.0.0.1:${chosen}`,
    port: chosen,
    child,
    spawnedAt,
    readyAt: 0,
    lastWords: () => words,
    async end(signal) {
      child.kill(signal);
      const [code, by] = await ended;
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS))]);
      children.delete(child);
      return { code, signal: by };
    },
  };
  // Else somebody else may answer at a port that was free a moment ago.
  const saysSo = options.program === undefined && options.output === undefined;
  await ready(gateway, { mayDie: options.mayDie === true, isItself: () => !saysSo || hasWelcomed });
  gateway.readyAt = Date.now();
  return gateway;
}

function environment({ databaseUrl, dataFolder }: StoreSettings, port: number): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    HOST: '127.0.0.1',
    PORT: String(port),
    TOLLGATE_DATA_DIR: dataFolder,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    TOLLGATE_SECRET: SECRET,
    TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
    TOLLGATE_OPERATOR_PASSWORD: 'password-of-the-fault-tests',
    TOLLGATE_SANDBOX: 'off',
    LOG_LEVEL: 'warn',
  };
}

async function ready(
  { address, child, lastWords, end }: GatewayProcess,
  { mayDie, isItself }: { mayDie: boolean; isItself(): boolean },
): Promise<void> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const status = await statusOf(`${address}/readyz`);
    if (status === 200 && child.exitCode === null && isItself()) return;
    if (mayDie && child.signalCode !== null) return;
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the gateway ended: ${lastWords()}`);
    if (Date.now() > deadline) {
      await end('SIGKILL');
      throw new Error(`the gateway was not ready within ${START_MS} ms, but ${status}: ${lastWords()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** undefined when nobody answers within two seconds and a half. */
export async function statusOf(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_500) });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}
