// What became of the requests. A failed one of ours makes the figures worthless; those of guests are theirs to explain.
import type { LoadGenerator } from '../load/load-generator.ts';
import type { RunningRelay } from '../relays/relay.ts';

export interface Outcome {
  outcome: string;
  details: string[];
  isBad: boolean;
}

export function tellFailures(
  { failures, requests }: Pick<LoadGenerator, 'failures' | 'requests'>,
  relays: readonly Pick<RunningRelay, 'name' | 'role'>[],
): Outcome {
  if (failures.size === 0) return { outcome: `${requests} requests, none failed.`, details: [], isBad: false };
  const guests = new Set(relays.filter(({ role }) => role === 'guest').map(({ name }) => name));
  let [ours, theirs] = [0, 0];
  const details: string[] = [];
  for (const [name, reasons] of failures) {
    for (const [reason, count] of reasons) {
      if (guests.has(name)) theirs += count;
      else ours += count;
      details.push(`${name}: ${count} x ${reason}`);
    }
  }
  const outcome =
    ours === 0
      ? `${requests} requests succeeded, ${theirs} of other gateways failed.`
      : `!!! ${ours} REQUESTS FAILED, ${requests} succeeded: THESE FIGURES ARE NOT TO BE TRUSTED !!!`;
  return { outcome, details, isBad: ours > 0 };
}
