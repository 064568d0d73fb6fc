// What the system knows of a process: its memory, its time on the processor and its open handles. Linux only.
import { readdirSync, readFileSync } from 'node:fs';
import { Skipped } from '../../command/skipped.ts';

/** Of /proc, on every Linux that Node runs on. */
const TICKS_A_SECOND = 100;

export function residentBytes(pid: number): number {
  if (process.platform !== 'linux') throw new Skipped('reads /proc');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

export function openHandles(pid: number): number {
  if (process.platform !== 'linux') throw new Skipped('reads /proc');
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** User and system time of all its threads so far. */
export function processorSeconds(pid: number): number {
  if (process.platform !== 'linux') throw new Skipped('reads /proc');
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // a name may hold anything
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}
