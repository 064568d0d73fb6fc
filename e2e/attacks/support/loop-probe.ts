// Loaded into a gateway process: writes down the longest stretches of processor time that its event loop spent without a
// pause. Processor time of the thread, not of the clock: other programs on the machine do not count.
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env['LOOP_PROBE_FILE'];
/** Shorter ones are of no interest. */
const LEAST_MS = 5;

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

let last = cpuMs();

function look(): void {
  const now = cpuMs();
  if (now - last > LEAST_MS && file !== undefined) appendFileSync(file, `${(now - last).toFixed(1)}\n`);
  last = cpuMs();
  setTimeout(look, 1).unref();
}

if (isMainThread && file !== undefined) look();
