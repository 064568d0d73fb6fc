// The benchmark's handle on the load generator process: one job in, one result out.
// It also keeps the account of all requests and failures of the whole run.
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { StartedProcesses } from '../processes/started.ts';
import type { LoadJob, LoadMessage, LoadResult } from './job.ts';

export class LoadGenerator {
  readonly #processes: StartedProcesses;
  readonly #child: ChildProcess;
  /** Failures of the whole run: by relay, then by what was done and why it failed. */
  readonly failures = new Map<string, Map<string, number>>();
  requests = 0;
  /** What came of the jobs since somebody last asked, by relay. */
  #lately = new Map<string, { succeeded: number; failed: number }>();

  constructor(processes: StartedProcesses) {
    const file = fileURLToPath(new URL('main.ts', import.meta.url));
    const command = { name: 'load', core: 'load', program: process.execPath, args: [file], channel: true } as const;
    this.#processes = processes;
    this.#child = processes.start(command);
  }

  async start(): Promise<void> {
    await this.#until('ready');
  }

  /**
   * Runs one job for the relay called `name`; `onOpen` is awaited between the opening and the end of what stays open.
   * Without a name its failures are nobody's.
   */
  async run(name: string | undefined, job: LoadJob, onOpen?: () => Promise<void>): Promise<LoadResult> {
    const opened = onOpen === undefined ? undefined : this.#until('open', 'done').then(onOpen);
    const ended = this.#until('done');
    this.#child.send(job);
    const [message] = await Promise.all([ended, opened]);
    if (message.type !== 'done') throw new Error('the load generator answered out of order');
    this.requests += message.result.requests;
    if (name === undefined) return message.result;
    const failed = Object.values(message.result.failures).reduce((sum, count) => sum + count, 0);
    const sum = this.#lately.get(name) ?? { succeeded: 0, failed: 0 };
    sum.succeeded += message.result.requests;
    sum.failed += failed;
    this.#lately.set(name, sum);
    for (const [reason, count] of Object.entries(message.result.failures)) {
      const reasons = this.failures.get(name) ?? new Map<string, number>();
      const key = `${job.kind}: ${reason}`;
      this.failures.set(name, reasons.set(key, (reasons.get(key) ?? 0) + count));
    }
    return message.result;
  }

  /** Relays of whose requests more failed than succeeded since this was last asked. */
  takeHopeless(): string[] {
    const lately = [...this.#lately];
    this.#lately = new Map();
    return lately.filter(([, { succeeded, failed }]) => failed > succeeded).map(([name]) => name);
  }

  #until(...types: LoadMessage['type'][]): Promise<LoadMessage> {
    return new Promise((resolve, reject) => {
      const child = this.#child;
      const onMessage = (message: LoadMessage): void => {
        if (!types.includes(message.type)) return;
        release();
        resolve(message);
      };
      const onExit = (): void => {
        release();
        reject(new Error(`the load generator ended:\n${this.#processes.lastErrors('load')}`));
      };
      const release = (): void => {
        child.off('message', onMessage);
        child.off('exit', onExit);
      };
      child.on('message', onMessage);
      child.on('exit', onExit);
    });
  }
}
