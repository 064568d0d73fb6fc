// What both video families share in one sandbox: the tasks, the links to their results, and what is still to be done later.
import { randomBytes } from 'node:crypto';
import { createTaskMemory, type TaskMemory } from './task-memory.ts';

export type VideoStudio = {
  tasks: TaskMemory;
  /** `host` or `host:port` of this machine that callbacks may go to; undefined: all of it. */
  callbackHosts: readonly string[] | undefined;
  /** Signs the links to results. */
  linkSecret: Buffer;
  /** Does something later, unless the sandbox has stopped by then. */
  later(milliseconds: number, action: () => void): void;
  stopped: AbortSignal;
  stop(): void;
};

const longestTimerMs = 2 ** 31 - 1;

export function createVideoStudio(callbackHosts?: readonly string[]): VideoStudio {
  const timers = new Set<NodeJS.Timeout>();
  const ending = new AbortController();
  return {
    tasks: createTaskMemory(),
    callbackHosts,
    linkSecret: randomBytes(32),
    later(milliseconds, action) {
      if (ending.signal.aborted || milliseconds > longestTimerMs) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        action();
      }, milliseconds);
      timers.add(timer);
    },
    stopped: ending.signal,
    stop() {
      ending.abort();
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
