// The event loop's side of a SQLite thread: sends statements and batches, matches the answers.
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { BatchOptions } from '../ledger/apply-batch.ts';
import { encodeOperations } from '../ledger/encode-operations.ts';
import type { LedgerOperation, LedgerResult } from '../ledger/operations.ts';
import type { StatementAnswer } from './statements.ts';
import type { ThreadAnswer, ThreadData, ThreadRequest } from './thread.ts';

/** How long the tables may be behind what was committed. */
const BEHIND_MS = 20;

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** What the thread answered when a statement failed. */
export class SqliteError extends Error {
  override name = 'SqliteError';
  /** The statement or its values are at fault, not the database. */
  readonly refused: boolean;
  /** SQLite's own, where it was SQLite that failed. */
  readonly errcode: number | undefined;

  constructor(message: string, refused: boolean, errcode?: number) {
    super(message);
    this.refused = refused;
    this.errcode = errcode;
  }
}

export class SqliteThread {
  readonly #worker: Worker;
  /** Its own instead of the worker's, which looks into the environment with every message. */
  readonly #port: MessagePort;
  /** In the order in which they were sent, which is that of the answers. */
  #pending: Pending[] = [];
  readonly #wakeUps = new Int32Array(new SharedArrayBuffer(4));
  #failure: Error | undefined;
  #reminder: NodeJS.Timeout | undefined;
  readonly #remind = (): void => {
    this.#reminder = undefined;
    this.catchUp().catch(() => {}); // who writes next hears why not
  };

  get hasEnded(): boolean {
    return this.#failure !== undefined;
  }

  constructor(settings: Omit<ThreadData, 'wakeUps' | 'port'>) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const data: ThreadData = { ...settings, wakeUps: this.#wakeUps, port: port2 };
    this.#worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: data,
      transferList: [port2],
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    this.#port.on('message', (answer: ThreadAnswer) => this.#receive(answer));
    this.#worker.on('error', (error) => this.#failAll(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on('exit', () => this.#failAll(new Error('the database thread has ended')));
  }

  /** A statement as it is, on tables as they are. */
  statement(sql: string, parameters: readonly unknown[]): Promise<StatementAnswer> {
    return this.#send({ kind: 'statement', sql, parameters: parameters as never[] }) as Promise<StatementAnswer>;
  }

  /** A statement that may change anything but what the ledger keeps in its inbox; whatever that holds is in the tables before. */
  write(sql: string, parameters: readonly unknown[]): Promise<StatementAnswer> {
    return this.#send({ kind: 'write', sql, parameters: parameters as never[] }) as Promise<StatementAnswer>;
  }

  /** Resolves when the tables have all that was committed before, for who reads them beside this thread. */
  async catchUp(): Promise<void> {
    await this.#send({ kind: 'catch-up' });
  }

  /** A statement that may change nothing. */
  read(sql: string, parameters: readonly unknown[]): Promise<StatementAnswer & { tookMs: number }> {
    return this.#send({ kind: 'read', sql, parameters: parameters as never[] }) as Promise<
      StatementAnswer & { tookMs: number }
    >;
  }

  ledger(operations: LedgerOperation[], { repeated }: BatchOptions): Promise<LedgerResult[]> {
    const encoded = encodeOperations(operations);
    const request = repeated ? ({ kind: 'ledger-again', operations: encoded } as const) : encoded;
    this.#reminder ??= setTimeout(this.#remind, BEHIND_MS).unref();
    return this.#send(request) as Promise<LedgerResult[]>;
  }

  async close(): Promise<void> {
    clearTimeout(this.#reminder);
    if (this.#failure === undefined) await this.#send({ kind: 'close' });
    await this.#worker.terminate();
  }

  #send(request: ThreadRequest): Promise<unknown> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#pending.push({ resolve, reject });
      this.#port.postMessage(request);
      Atomics.add(this.#wakeUps, 0, 1);
      Atomics.notify(this.#wakeUps, 0);
    });
  }

  #receive(answer: ThreadAnswer): void {
    const pending = this.#pending.shift();
    if (typeof answer === 'string') pending?.resolve(answer.split(' '));
    else if ('error' in answer) {
      const { message, refused, errcode } = answer.error;
      pending?.reject(new SqliteError(message, refused, errcode));
    } else pending?.resolve(answer.result);
  }

  #failAll(error: Error): void {
    // Its end may overtake what it has answered before.
    for (
      let received = receiveMessageOnPort(this.#port);
      received !== undefined;
      received = receiveMessageOnPort(this.#port)
    )
      this.#receive(received.message);
    this.#failure ??= error;
    for (const pending of this.#pending) pending.reject(error);
    this.#pending = [];
  }
}
