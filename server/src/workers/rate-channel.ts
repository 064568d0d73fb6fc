// A worker's way to the rate windows that its primary keeps for all workers.
import cluster from 'node:cluster';
import type { RateChannel } from '../access/rate-limit/primary-rates.ts';

/** undefined in a process that is no worker. */
export function primaryChannel(): RateChannel | undefined {
  if (!cluster.isWorker) return undefined;
  return {
    send: (message) => void (process.connected && process.send?.(message)),
    onMessage: (listener) => void process.on('message', listener),
  };
}
