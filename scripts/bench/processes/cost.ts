// What a relay costs the machine: processor time and resident memory of its processes and all descendants, threads
// included; a database of its own is one of them. Read from /proc, so other systems than Linux give no figure rather than a wrong one.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const tickMicroseconds = 10_000; // USER_HZ is 100 on every Linux that user space can see.
export const costIsKnown = existsSync('/proc/self/stat');

interface ProcessStat {
  pid: number;
  parent: number;
  ticks: number;
}

function readStat(pid: number): ProcessStat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // proc(5): the name may hold spaces and brackets; fields are counted after its last bracket, `state` being the first.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  // utime, stime and the same of children that already ended.
  const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
  return { pid, parent, ticks };
}

function treeStats(roots: readonly number[]): ProcessStat[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((stat) => stat !== undefined);
  const tree = all.filter((stat) => roots.includes(stat.pid));
  for (const member of tree) tree.push(...all.filter((stat) => stat.parent === member.pid && !tree.includes(stat)));
  return tree;
}

/** The process ids of some processes and their descendants, each once; only their own where that cannot be known. */
export function processTree(roots: readonly number[]): readonly number[] {
  return costIsKnown ? treeStats(roots).map((stat) => stat.pid) : roots;
}

/** Processor time used so far, user and system, in microseconds. */
export function cpuMicroseconds(roots: readonly number[]): number {
  return treeStats(roots).reduce((sum, stat) => sum + stat.ticks, 0) * tickMicroseconds;
}

/** Resident memory in megabytes (2^20 bytes, as `ps` and `top` count); pages shared inside the tree count per process. */
export function residentMegabytes(roots: readonly number[]): number {
  let kilobytes = 0;
  for (const { pid } of treeStats(roots)) {
    try {
      kilobytes += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0);
    } catch {
      // Ended between the two reads.
    }
  }
  return kilobytes / 1024;
}

export interface MemoryDetail {
  rss: number;
  /** Shared pages divided among those who share them. */
  pss: number;
  anonymous: number;
  threads: number;
}

/** Where the memory of some process trees lies, in megabytes; NaN where the system does not tell. */
export function memoryDetail(roots: readonly number[]): MemoryDetail {
  const sum = { rss: 0, pss: 0, anonymous: 0, threads: 0 };
  for (const pid of processTree(roots)) {
    try {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
      const read = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1]) / 1024;
      sum.rss += read('Rss');
      sum.pss += read('Pss');
      sum.anonymous += read('Anonymous');
      sum.threads += readdirSync(`/proc/${pid}/task`).length;
    } catch {
      sum.rss = Number.NaN;
    }
  }
  return sum;
}

/** How many files one process may open, which bounds the number of open streams. */
export function openFileLimit(): number {
  if (!costIsKnown) return 4096;
  const limit = /Max open files\s+(\S+)/.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
  return limit === 'unlimited' ? Infinity : Number(limit ?? 1024);
}
