// The functions in which a profile spent its time, those with the most of their own first.

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
}

export interface CpuProfile {
  nodes: ProfileNode[];
  samples: number[];
  timeDeltas: number[];
}

const notWork = new Set(['(idle)', '(program)']);

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  if (url === '') return name;
  const file = url.replace(/^file:\/\//, '').replace(/^.*\/(node_modules|dist)\//, '');
  return `${name}  ${file}:${lineNumber + 1}`;
}

export interface OwnTime {
  name: string;
  /** Of all time in which the thread had work. */
  percent: number;
}

export function topFunctions(profile: CpuProfile, most: number): OwnTime[] {
  const names = new Map(profile.nodes.map((node) => [node.id, nameOf(node)]));
  const times = new Map<string, number>();
  let total = 0;
  for (const [index, id] of profile.samples.entries()) {
    const name = names.get(id) ?? '?';
    if (notWork.has(name)) continue;
    const time = Math.max(0, profile.timeDeltas[index] ?? 0);
    total += time;
    times.set(name, (times.get(name) ?? 0) + time);
  }
  return [...times]
    .map(([name, time]) => ({ name, percent: (100 * time) / total }))
    .toSorted((a, b) => b.percent - a.percent)
    .slice(0, most);
}
