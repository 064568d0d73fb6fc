// The event loop's side of the process that reads lists: started when somebody asks, killed when one statement takes longer
// than a list may, ended when nobody has asked for a while. Lookups of the hot path never wait for it.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { SQLInputValue } from 'node:sqlite';
import { GatewayError } from '../../errors/gateway-error.ts';
import { bareEnvironment } from '../../shared/runtime/bare-environment.ts';
import { LIST_LIMIT_MS, listTooSlow } from '../list-too-slow.ts';
import { SqliteError } from './connection.ts';
import type { FromListProcess, ToListProcess } from './list-process.ts';
import type { StatementRunner } from './kysely.ts';
import type { StatementAnswer } from './statements.ts';

const START_MS = 30_000;
const IDLE_MS = 60_000;
const HEAP_MB = 128;

interface Running {
  child: ChildProcess;
  ready: Promise<void>;
}

export class SqliteLists implements StatementRunner {
  readonly #file: string;
  readonly #startMs: number;
  #running: Running | undefined;
  #idle: NodeJS.Timeout | undefined;
  #nextId = 1;

  constructor(file: string, startMs = START_MS) {
    this.#file = file;
    this.#startMs = startMs;
  }

  /** May not be called again before it has answered. */
  async statement(sql: string, parameters: readonly unknown[]): Promise<StatementAnswer> {
    clearTimeout(this.#idle);
    const running = (this.#running ??= this.#start());
    await running.ready;
    const request: ToListProcess = { id: this.#nextId++, sql, parameters: parameters as SQLInputValue[] };
    const answer = await this.#ask(running, request);
    this.#idle = setTimeout(() => this.#stop(running), IDLE_MS).unref();
    if (answer.kind === 'failure') throw new SqliteError(answer.message, true);
    return answer.answer;
  }

  close(): void {
    clearTimeout(this.#idle);
    if (this.#running !== undefined) this.#stop(this.#running);
  }

  #ask(running: Running, request: ToListProcess): Promise<Exclude<FromListProcess, { kind: 'ready' }>> {
    const { child } = running;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(limit);
        child.off('message', onMessage).off('exit', onExit);
      };
      const onMessage = (message: FromListProcess): void => {
        if (message.kind === 'ready' || message.id !== request.id) return;
        end();
        resolve(message);
      };
      const onExit = (): void => {
        end();
        reject(new Error('the process that reads lists has ended'));
      };
      const limit = setTimeout(() => {
        end();
        this.#stop(running);
        reject(listTooSlow());
      }, LIST_LIMIT_MS);
      child.on('message', onMessage).on('exit', onExit);
      child.send(request, () => {}); // one that has ended says so itself
    });
  }

  #start(): Running {
    const child = fork(fileURLToPath(new URL('./list-process.ts', import.meta.url)), [this.#file], {
      env: bareEnvironment(),
      execArgv: ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${HEAP_MB}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.unref();
    child.channel?.unref();
    const ready = new Promise<void>((resolve, reject) => {
      const limit = setTimeout(() => {
        fail(
          new GatewayError('overloaded', {
            message: 'The process that reads lists does not start. Try again soon.',
            retryAfter: 5,
          }),
        );
      }, this.#startMs);
      const fail = (error: Error): void => {
        clearTimeout(limit);
        this.#stop(running);
        reject(error);
      };
      child.once('error', fail).once('exit', () => fail(new Error('the process that reads lists has ended')));
      child.once('message', () => {
        clearTimeout(limit);
        resolve();
      });
    });
    ready.catch(() => {}); // the caller gets the error
    const running = { child, ready };
    return running;
  }

  #stop(running: Running): void {
    if (this.#running === running) this.#running = undefined;
    running.child.kill('SIGKILL');
  }
}
