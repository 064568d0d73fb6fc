// Processor time of this process and of all that it started, down to their threads: on a busy machine a fairer measure of a
// question than the time until its answer.
import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds so far; undefined where the system does not say it. */
export function cpuTime(): number | undefined {
  try {
    return familyOf(process.pid).reduce((sum, pid) => sum + timeOf(pid), 0) / 1e6;
  } catch {
    return undefined;
  }
}

function familyOf(root: number): number[] {
  const children = Map.groupBy(
    readdirSync('/proc').filter((name) => /^\d+$/.test(name)),
    parentOf,
  );
  const family = [root];
  for (const pid of family) family.push(...(children.get(pid) ?? []).map(Number));
  return family;
}

function parentOf(pid: string): number {
  return Number(afterName(pid)[1]);
}

/** The name of the program stands in brackets and may hold anything. */
function afterName(pid: string): string[] {
  return readOr(`/proc/${pid}/stat`, ') ? 0').split(') ').at(-1)?.split(' ') ?? [];
}

/** Nanoseconds on a processor. */
function timeOf(pid: number): number {
  let sum = 0;
  // Of processes that have ended and were waited for, such as parallel workers, in hundredths of a second.
  const [ended = '0', endedInSystem = '0'] = afterName(String(pid)).slice(13, 15);
  sum += (Number(ended) + Number(endedInSystem)) * 1e7;
  for (const thread of readdirSync(`/proc/${pid}/task`))
    sum += Number(readOr(`/proc/${pid}/task/${thread}/schedstat`, '0').split(' ')[0]);
  return sum;
}

/** It may have ended meanwhile. */
function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}
