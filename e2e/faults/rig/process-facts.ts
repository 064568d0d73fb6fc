// What the system knows of a process: its memory and its open handles. Linux only.
import { readdirSync, readFileSync } from 'node:fs';
import { Skipped } from '../command/fault.ts';

export function residentBytes(pid: number): number {
  if (process.platform !== 'linux') throw new Skipped('reads /proc');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

export function openHandles(pid: number): number {
  if (process.platform !== 'linux') throw new Skipped('reads /proc');
  return readdirSync(`/proc/${pid}/fd`).length;
}
