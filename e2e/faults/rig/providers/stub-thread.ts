// A stub provider in a thread of its own, for loads under which this process would be the slowest part of the rig.
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { StubProvider, type StubRecord, type StubScript } from './stub-provider.ts';

export interface StubThread {
  baseUrl: string;
  /** What it was asked and what it said, so far. */
  records(): Promise<StubRecord[]>;
  stop(): Promise<void>;
}

/** Every call is answered by the same script. */
export async function startStubThread(script: Omit<StubScript, 'answer'> = {}): Promise<StubThread> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { stubScript: script } });
  worker.unref();
  const [baseUrl] = (await once(worker, 'message')) as [string];
  return {
    baseUrl,
    async records() {
      const reported = once(worker, 'message');
      worker.postMessage('records');
      return ((await reported) as [StubRecord[]])[0];
    },
    stop: async () => void (await worker.terminate()),
  };
}

async function serve(script: StubScript): Promise<void> {
  const stub = await StubProvider.start();
  stub.script = () => script;
  parentPort?.on('message', () => parentPort?.postMessage(stub.records));
  parentPort?.postMessage(stub.baseUrl);
}

const { stubScript } = (workerData ?? {}) as { stubScript?: StubScript };
if (!isMainThread && stubScript !== undefined) await serve(stubScript);
