// Several processes on one port (TOLLGATE_WORKERS): a primary that only starts workers, replaces one that died, and passes
// the stop on. Beside the store the workers share the rate windows, which the primary keeps for them.
import cluster, { type Worker } from 'node:cluster';
import { PrimaryRates, type RateChannel } from './access/rate-limit/primary-rates.ts';
import { systemClock } from './shared/clock.ts';

/** A worker that dies at once would otherwise be started again without end. */
const RESTART_PAUSE_MS = 1_000;

export interface PrimarySettings {
  workers: number;
  /** What the first worker has to tell people. */
  onWelcome(text: string): void;
  onWorkerDied(pid: number | undefined): void;
  onStopped(): void;
}

export function runPrimary({ workers, onWelcome, onWorkerDied, onStopped }: PrimarySettings): void {
  let stopping = false;
  let welcomed = false;
  const rates = new PrimaryRates(systemClock);
  const startOne = (): Worker => {
    const worker = cluster.fork();
    const ended = rates.serve({
      send: (message) => void (worker.isConnected() && worker.send(message as object)),
      onMessage: (listener) => void worker.on('message', listener),
    });
    worker.once('exit', ended);
    worker.on('message', ({ welcome }: { welcome?: string }) => {
      if (welcomed || welcome === undefined) return;
      welcomed = true;
      onWelcome(welcome);
      for (let started = 1; started < workers; started++) startOne(); // the first has prepared the data
    });
    return worker;
  };
  cluster.on('exit', (worker) => {
    if (stopping) {
      if (Object.keys(cluster.workers ?? {}).length === 0) onStopped();
    } else if (!welcomed) {
      process.exit(1); // it said why
    } else {
      onWorkerDied(worker.process.pid);
      setTimeout(() => (stopping ? undefined : startOne()), RESTART_PAUSE_MS);
    }
  });
  const stop = (): void => {
    stopping = true;
    const workers = Object.values(cluster.workers ?? {});
    for (const worker of workers) worker?.process.kill('SIGTERM');
    if (workers.length === 0) onStopped();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  startOne();
}

/** A worker's channel to its primary; undefined elsewhere. */
export function primaryChannel(): RateChannel | undefined {
  if (!cluster.isWorker) return undefined;
  return {
    send: (message) => void (process.connected && process.send?.(message)),
    onMessage: (listener) => void process.on('message', listener),
  };
}
