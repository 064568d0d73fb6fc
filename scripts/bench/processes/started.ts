// Every process and folder that the benchmark makes is made here, so that all of them can be ended by their own
// ids however the run ends. Where `taskset` exists, the measured relay runs on one core and all else on another.
import { type ChildProcess, spawn, spawnSync, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processTree } from './cost.ts';

export type Core = 'relay' | 'load';
const coreNumbers: Record<Core, number> = { relay: 0, load: 1 };

export interface Command {
  name: string;
  core: Core;
  program: string;
  args: readonly string[];
  env?: Record<string, string>;
  /** Opens a message channel, as the upstream and the load generator use it. */
  channel?: boolean;
  /** One that may end without the run ending with it. */
  isGuest?: boolean;
}

/** A server that somebody else started for the run, and how it ends. */
export interface Server {
  pid: number;
  stop(): Promise<void>;
}

export class StartedProcesses {
  readonly folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
  readonly pinned =
    availableParallelism() >= 2 && spawnSync('taskset', ['-c', '0', 'taskset', '-c', '1', 'true']).status === 0;
  readonly #children = new Map<ChildProcess, string>();
  readonly #guests = new Set<ChildProcess>();
  readonly #servers = new Set<Server>();

  start(command: Command): ChildProcess {
    const [program = command.program, ...args] = [...this.pinning(command.core), command.program, ...command.args];
    const errors = openSync(this.errorFile(command.name), 'a');
    const stdio: StdioOptions = ['ignore', 'ignore', errors, ...(command.channel === true ? (['ipc'] as const) : [])];
    const child = spawn(program, args, { cwd: this.folder, env: command.env ?? process.env, stdio });
    closeSync(errors);
    // A program that cannot be started shows itself as an exit; without a listener it would end the benchmark uncleanly.
    child.on('error', () => undefined);
    this.#children.set(child, command.name);
    if (command.isGuest === true) this.#guests.add(child);
    return child;
  }

  /** The words that bind a command to a core. */
  pinning(core: Core): readonly string[] {
    return this.pinned ? ['taskset', '-c', String(coreNumbers[core])] : [];
  }

  /** Ends with the run as well. */
  endToo(server: Server): void {
    this.#servers.add(server);
  }

  /** Kills one as a crash would; it is expected to be gone from then on. */
  async kill(child: ChildProcess): Promise<void> {
    this.#children.delete(child);
    if (!isRunning(child)) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** The last lines that a process wrote to its error output, for the sentence that says why it did not start. */
  lastErrors(name: string): string {
    return readFileSync(this.errorFile(name), 'utf8').trimEnd().split('\n').slice(-12).join('\n');
  }

  /** Throws when a process ended on its own: figures of a run that lost one mean nothing. Tells which guests are gone. */
  requireAll(): string[] {
    const gone: string[] = [];
    for (const [child, name] of this.#children) {
      if (isRunning(child)) continue;
      if (this.#guests.has(child)) gone.push(name);
      else throw new Error(`${name} ended during the run. Its last words:\n${this.lastErrors(name)}`);
    }
    return gone;
  }

  /** Asks all processes to end, ends those that do not within the time, and removes the folder. */
  async endAll(graceMs = 4000): Promise<void> {
    const pids = this.#livingPids();
    for (const child of this.#children.keys()) child.kill('SIGTERM');
    const deadline = Date.now() + graceMs;
    while (this.#running().length > 0 && Date.now() < deadline) await pause(25);
    for (const server of this.#servers) await server.stop(); // after those who use them
    this.#servers.clear();
    this.endNow(pids);
  }

  /** The same without waiting: safe in an exit handler. `alsoPids` are descendants seen before their parents ended. */
  endNow(alsoPids: readonly number[] = []): void {
    const stillTheirs = alsoPids.filter((pid) => this.#namesOurFolder(pid));
    const servers = [...this.#servers].map(({ pid }) => pid);
    for (const pid of new Set([...this.#livingPids(), ...stillTheirs, ...servers])) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Already gone, which is what is wanted.
      }
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  #running(): ChildProcess[] {
    return [...this.#children.keys()].filter(isRunning);
  }

  #livingPids(): number[] {
    return this.#running().flatMap((child) => (child.pid === undefined ? [] : processTree([child.pid])));
  }

  /** A process id may have been given away since; its working folder tells whether it is still one of ours. */
  #namesOurFolder(pid: number): boolean {
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(this.folder);
    } catch {
      return false;
    }
  }

  /** Where the error output of a process goes. */
  errorFile(name: string): string {
    return join(this.folder, `${name.replaceAll(/[^\w-]/g, '_')}.stderr`);
  }
}

/** The process as a list, empty when it could not be started. */
export function rootOf({ pid }: ChildProcess): readonly number[] {
  return pid === undefined ? [] : [pid];
}

export function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}
