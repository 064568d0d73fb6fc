// Waits until a relay that was just started answers 200 at an address. A relay that ends or stays silent is an error
// that carries the last lines it wrote.
import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { isRunning, type StartedProcesses } from '../processes/started.ts';

const usualTimeoutMs = 30_000;

export interface Awaited {
  name: string;
  url: string;
  child: ChildProcess;
  processes: StartedProcesses;
  timeoutMs?: number;
}

export async function waitUntilAnswering(awaited: Awaited): Promise<void> {
  const { name, url, child, processes, timeoutMs = usualTimeoutMs } = awaited;
  const deadline = Date.now() + timeoutMs;
  let last = 'no connection';
  while (isRunning(child) && Date.now() < deadline) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
      await response.arrayBuffer();
      if (response.status === 200) return;
      last = `status ${response.status}`;
    } catch {
      last = 'no connection';
    }
    await pause(50);
  }
  const what = isRunning(child) ? `did not get ready in ${timeoutMs / 1000} s (${last})` : 'ended while starting';
  throw new Error(`${name} ${what}. Its last words:\n${processes.lastErrors(name)}`);
}
