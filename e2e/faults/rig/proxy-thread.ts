// A fault proxy in a thread of its own: clients behind it must not wait for the load that this process makes.
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { FaultProxy } from './fault-proxy.ts';

type Order = { name: 'refuse' | 'silence' | 'heal' | 'stop' } | { name: 'answerWith'; bytes: Uint8Array };

export class ProxyThread {
  readonly port: number;
  readonly #worker: Worker;

  private constructor(worker: Worker, port: number) {
    this.#worker = worker;
    this.port = port;
  }

  static async start(address: string): Promise<ProxyThread> {
    const worker = new Worker(new URL(import.meta.url), { workerData: { proxyOf: address } });
    const [port] = (await once(worker, 'message')) as [number];
    worker.unref();
    return new ProxyThread(worker, port);
  }

  /** The same as of a FaultProxy; each is done when it resolves. */
  refuse = (): Promise<void> => this.#order({ name: 'refuse' });
  silence = (): Promise<void> => this.#order({ name: 'silence' });
  heal = (): Promise<void> => this.#order({ name: 'heal' });
  answerWith = (bytes: Buffer): Promise<void> => this.#order({ name: 'answerWith', bytes });

  async stop(): Promise<void> {
    await this.#order({ name: 'stop' });
    await this.#worker.terminate();
  }

  async #order(order: Order): Promise<void> {
    const done = once(this.#worker, 'message');
    this.#worker.postMessage(order);
    await done;
  }
}

async function serve(address: string): Promise<void> {
  const proxy = await FaultProxy.start(address);
  const obey = async (order: Order): Promise<void> => {
    if (order.name === 'answerWith') proxy.answerWith(Buffer.from(order.bytes));
    else await proxy[order.name]();
    parentPort?.postMessage('done');
  };
  parentPort?.on('message', (order: Order) => void obey(order));
  parentPort?.postMessage(proxy.port);
}

const { proxyOf } = (workerData ?? {}) as { proxyOf?: string };
if (!isMainThread && proxyOf !== undefined) await serve(proxyOf);
