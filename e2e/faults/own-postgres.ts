// A PostgreSQL that a test may kill, freeze and start again on the same data and port. The first start is that of
// scripts/postgres.mjs, which also prepares the binaries; the later ones are made here from the running server's own command.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { startPostgres } from '../../scripts/postgres.mjs';

export class OwnPostgres {
  readonly url: string;
  readonly #program: string;
  readonly #args: string[];
  readonly #data: string;
  #pid: number;
  #child: ChildProcess | undefined;

  private constructor(url: string, pid: number) {
    this.url = url;
    this.#pid = pid;
    const [, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    this.#program = readlinkSync(`/proc/${pid}/exe`);
    // One that is killed must not lose what it promised: these settings are for the speed of other tests.
    this.#args = args.filter((arg, index) => !isSpeed(arg) && !(arg === '-c' && isSpeed(args[index + 1] ?? '')));
    this.#data = args[args.indexOf('-D') + 1] ?? '';
  }

  /** Begins with a restart, because the first server runs with settings that may lose a commit. */
  static async start(folder?: string): Promise<OwnPostgres> {
    const { url, pid } = await startPostgres(folder);
    if (pid === undefined) throw new Error('the server has no process id');
    const postgres = new OwnPostgres(url, pid);
    process.once('exit', () => postgres.#kill());
    await postgres.kill();
    await postgres.startAgain();
    return postgres;
  }

  /** SIGKILL to the postmaster; its backends notice and end by themselves. */
  async kill(): Promise<void> {
    const backends = childrenOf(this.#data); // afterwards they are nobody's
    this.#kill();
    for (const pid of [this.#pid, ...backends]) await gone(pid);
    rmSync(`${this.#data}/postmaster.pid`, { force: true });
  }

  freeze(): void {
    for (const pid of [this.#pid, ...childrenOf(this.#data)]) process.kill(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of [...childrenOf(this.#data), this.#pid]) process.kill(pid, 'SIGCONT');
  }

  async startAgain(): Promise<void> {
    const { uid, gid } = statSync(this.#data);
    const identity = process.getuid?.() === 0 ? { uid, gid } : {};
    const child = spawn(this.#program, this.#args, {
      ...identity,
      cwd: dirname(this.#data),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    this.#pid = child.pid ?? 0;
    let words = '';
    for await (const chunk of child.stderr) {
      words = (words + String(chunk)).slice(-10_000);
      if (words.includes('ready to accept connections')) break;
    }
    if (!words.includes('ready to accept connections')) throw new Error(`postgres did not start: ${words}`);
  }

  /** Leaves nothing behind. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
    }
    rmSync(dirname(this.#data), { recursive: true, force: true });
  }

  #kill(): void {
    try {
      process.kill(this.#pid, 'SIGKILL');
    } catch {
      // already gone
    }
  }
}

const isSpeed = (setting: string): boolean => /^(fsync|synchronous_commit|full_page_writes)=/.test(setting);

/** Backends work in the data folder, which belongs to this server alone. */
function childrenOf(data: string): number[] {
  const postmaster = Number(readFileSync(`${data}/postmaster.pid`, 'utf8').split('\n', 1)[0]);
  try {
    const listed = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
    return listed
      .trim()
      .split(' ')
      .filter((pid) => pid !== '')
      .map(Number);
  } catch {
    return [];
  }
}

async function gone(pid: number): Promise<void> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline;) {
    try {
      process.kill(pid, 0);
      if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return;
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`process ${pid} does not end`);
}
