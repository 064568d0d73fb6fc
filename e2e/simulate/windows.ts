// Rate windows in a fleet: every request that has limits asks Redis, which is one core for each of its shards. An account
// and its tokens lie on one shard, so a large customer is the load of one.
import type { Costs } from './costs.ts';
import { quantile, seeded, sortedUp, untilNext, zipf } from './spread.ts';
import { Station } from './station.ts';
import { VirtualTime } from './virtual-time.ts';

export interface WindowsFleet {
  shards: number;
  accounts: number;
  /** Requests with limits, per second. */
  requests: number;
  seconds: number;
}

export interface WindowsOutcome {
  /** Wait for Redis, milliseconds. */
  p50: number;
  p99: number;
  /** Part of requests that waited longer than a process waits for Redis: they are counted by their process alone. */
  late: number;
  busiestShard: number;
}

/** A process gives up on Redis after this (access/rate-limit/redis-store.ts). */
const COMMAND_MS = 250;
const NETWORK_MS = 0.5;

export function simulateWindows(fleet: WindowsFleet, costs: Costs, seed = 1): WindowsOutcome {
  const random = seeded(seed);
  const time = new VirtualTime();
  const shards = Array.from({ length: fleet.shards }, () => new Station(time, 1));
  const waits: number[] = [];
  const arrive = (): void => {
    const began = time.now;
    const account = zipf(random, fleet.accounts);
    // Neighbouring numbers go to different shards, as the hashes of ids do.
    const shard = shards[(Math.imul(account, 0x9e_37_79_b1) >>> 0) % fleet.shards];
    shard?.do(costs.window, () => waits.push(time.now - began + 2 * NETWORK_MS));
    time.after(untilNext(random, fleet.requests), arrive);
  };
  time.after(0, arrive);
  time.runUntil(fleet.seconds * 1000);
  const sorted = sortedUp(waits);
  return {
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    late: waits.filter((wait) => wait > COMMAND_MS).length / Math.max(1, waits.length),
    busiestShard: Math.max(...shards.map(({ utilisation }) => utilisation)),
  };
}
