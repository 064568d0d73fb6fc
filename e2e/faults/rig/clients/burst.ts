// Many clients of one token in a thread of their own, which call as fast as they are answered, or at a fixed rate whatever
// the answers; what each call has shown comes back at the end.
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { JournalEntry } from '../../chat-client.ts';
import { BurstConnection, type BurstTarget } from './burst-connection.ts';

export interface BurstOptions extends BurstTarget {
  connections: number;
  /** Calls a second, sent when they are due as long as a connection is free; undefined = each sends when it was answered. */
  perSecond?: number;
  /** A client that was refused comes back after this. */
  restMs?: number;
  /** The `max_tokens` of the first call. */
  firstCall: number;
}

export interface BurstCall extends JournalEntry {
  /** Milliseconds since the burst began when it was sent. */
  at: number;
}

export interface Burst {
  /** Nothing more is sent; resolves with all calls when the last is answered. */
  end(): Promise<BurstCall[]>;
}

export async function startBurst(options: BurstOptions): Promise<Burst> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { burst: options } });
  worker.unref();
  await once(worker, 'message');
  return {
    async end() {
      const over = once(worker, 'message');
      worker.postMessage('end');
      const [calls] = (await over) as [BurstCall[]];
      await worker.terminate();
      return calls;
    },
  };
}

async function serve(options: BurstOptions): Promise<void> {
  const { connections, perSecond, restMs = 0, firstCall } = options;
  const calls: BurstCall[] = [];
  const startedAt = performance.now();
  const over = new AbortController();
  let sent = 0;
  const callOnce = async (connection: BurstConnection): Promise<number | undefined> => {
    const at = performance.now() - startedAt;
    const call: BurstCall = { ...(await connection.call(firstCall + sent++)), at };
    calls.push(call);
    return call.status;
  };
  let due = 0;
  const work = Array.from({ length: connections }, async () => {
    const connection = new BurstConnection(options);
    while (!over.signal.aborted) {
      const inMs = perSecond === undefined ? 0 : (due++ / perSecond) * 1000 - (performance.now() - startedAt);
      if (inMs > 0) await pause(inMs);
      if (over.signal.aborted) break;
      const status = await callOnce(connection);
      if (status !== 200 && restMs > 0) await pause(restMs);
    }
    connection.close();
  });
  parentPort?.postMessage('begun');
  await new Promise((resolve) => parentPort?.once('message', resolve));
  over.abort();
  await Promise.all(work);
  parentPort?.postMessage(calls);
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

const { burst } = (workerData ?? {}) as { burst?: BurstOptions };
if (!isMainThread && burst !== undefined) await serve(burst);
