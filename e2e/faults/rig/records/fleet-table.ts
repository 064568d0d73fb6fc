// A soak of two gateways in rows by quarter of an hour.
import { quantile } from '../clients/quantile.ts';
import type { Sample } from './soak-watch.ts';

/** The gateway that is never killed, and beside it the one that is. */
export interface FleetSample extends Sample {
  /** Calls of the load that had an answer by then, and those of them that were not whole with 200. */
  calls: number;
  spoilt: number;
  /** MiB and handles of the other one; undefined while it is dead. */
  other: { resident: number; handles: number } | undefined;
  /** Load of the whole machine, other work included. */
  machine: number;
  /** Faults sprinkled by then. */
  faults: number;
}

const range = (numbers: readonly number[], digits = 0): string =>
  numbers.length === 0 ? '-' : `${Math.min(...numbers).toFixed(digits)} to ${Math.max(...numbers).toFixed(digits)}`;

/** The last sample of a run may end a little after its last quarter, and belongs to it. */
export function fleetTable(
  samples: readonly FleetSample[],
  { length, quarter }: Record<'length' | 'quarter', number>,
): string {
  const last = Math.ceil(length / quarter);
  const quarters = Map.groupBy(samples, ({ seconds }) => Math.min(last, Math.ceil((seconds - 1) / quarter)));
  const head = [
    'Minutes',
    'Calls',
    'Not whole',
    'Faults',
    'p50 of quick calls',
    'p99',
    'Resident MiB',
    'Handles',
    'Timers',
    'Core',
    'Resident MiB of the killed one',
    'Its handles',
    'Load of the machine',
  ];
  let [calls, spoilt, faults] = [0, 0, 0];
  const rows = [...quarters.values()].map((own) => {
    const end = own.at(-1);
    if (end === undefined) return [];
    const quick = own.flatMap((sample) => sample.quick);
    const others = own.flatMap(({ other }) => other ?? []);
    const row = [
      `to ${(end.seconds / 60).toFixed(quarter < 600 ? 1 : 0)}`,
      end.calls - calls,
      end.spoilt - spoilt,
      end.faults - faults,
      `${quantile(quick, 0.5).toFixed(0)} ms`,
      `${quantile(quick, 0.99).toFixed(0)} ms`,
      range(own.map(({ resident }) => resident)),
      range(own.map(({ handles }) => handles)),
      range(own.map(({ timers }) => timers)),
      `${((own.reduce((sum, { processor }) => sum + processor, 0) / own.length) * 100).toFixed(0)} %`,
      range(others.map(({ resident }) => resident)),
      range(others.map(({ handles }) => handles)),
      range(own.map(({ machine }) => machine)),
    ];
    [calls, spoilt, faults] = [end.calls, end.spoilt, end.faults];
    return row;
  });
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
