// Keeps the cores awake while a time is measured, by processes that run only when nobody else wants to (SCHED_IDLE). What a
// core's sleep costs was seen (docs/decisions/2026-11-16-core-sleep-in-benchmarks.md); by which way it does so was not.
import { spawnSync } from 'node:child_process';
import type { Core, StartedProcesses } from './started.ts';

const cores: readonly Core[] = ['relay', 'load'];
const idleClass = ['chrt', '--idle', '0'] as const;

/** The same work without it where it cannot be done. */
export async function keepAwake<T>(processes: StartedProcesses, work: () => Promise<T>): Promise<T> {
  if (!canKeepAwake(processes)) return work();
  const [program, ...args] = idleClass;
  const watchers = cores.map((core) =>
    processes.start({
      name: `awake-${core}`,
      core,
      program,
      args: [...args, 'sh', '-c', 'while :; do :; done'],
    }),
  );
  try {
    return await work();
  } finally {
    for (const watcher of watchers) await processes.kill(watcher);
  }
}

export function canKeepAwake({ pinned }: Pick<StartedProcesses, 'pinned'>): boolean {
  const [program, ...args] = idleClass;
  return pinned && spawnSync(program, [...args, 'true']).status === 0;
}
