// Processor time that a relay spends on one load phase. The phase ends a moment after its last answer, because
// work that a relay puts off (settling, logs) belongs to the requests that caused it.
import { setTimeout as pause } from 'node:timers/promises';
import type { LoadResult } from '../load/job.ts';
import { costIsKnown, cpuMicroseconds } from '../processes/cost.ts';
import type { RunningRelay } from '../relays/relay.ts';

const usualPutOffMs = 300;

export interface Cost {
  result: LoadResult;
  /** Microseconds of the relay's processes; NaN where there is none or it cannot be known. */
  cpu: number;
}

/** A phase in which more requests failed than succeeded gives no figure of what a request costs. */
export function isTelling({ requests, failures }: LoadResult): boolean {
  return requests > Object.values(failures).reduce((sum, count) => sum + count, 0);
}

/** The same work before it counts: a relay that has rested is not what is measured. What it puts off is waited for, too. */
export async function warm(work: () => Promise<LoadResult>, putOffMs = usualPutOffMs): Promise<void> {
  await work();
  await pause(putOffMs);
}

export async function measureCost(
  relay: Pick<RunningRelay, 'pids'>,
  work: () => Promise<LoadResult>,
  putOffMs = usualPutOffMs,
): Promise<Cost> {
  if (relay.pids.length === 0 || !costIsKnown) return { result: await work(), cpu: Number.NaN };
  const before = cpuMicroseconds(relay.pids);
  const result = await work();
  await pause(putOffMs);
  return { result, cpu: cpuMicroseconds(relay.pids) - before };
}
