// Spoils the counts of a usage object as a behaviour asks, so that a reader's distrust can be tested.
import type { Behaviour } from '../scenarios.ts';

const absurdCount = 1e18;

/** Only the counts at the top are spoilt; undefined when the behaviour leaves usage out. */
export function spoilUsage(usage: Record<string, unknown>, behaviour: Behaviour): Record<string, unknown> | undefined {
  if (behaviour.usage === 'absent') return undefined;
  if (behaviour.usage === undefined) return usage;
  const entries = Object.entries(usage);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'number' ? spoilCount(value, behaviour.usage) : value]),
  );
}

function spoilCount(count: number, usage: Behaviour['usage']): number | string {
  switch (usage) {
    case 'negative':
      return -count;
    case 'absurd':
      return absurdCount;
    case 'text':
      return String(count);
    case 'fraction':
      return count + 0.5;
    default:
      return count;
  }
}
