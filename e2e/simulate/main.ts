// `npm run simulate`: a fleet of 100 nodes with 10 million accounts in virtual time, to see what breaks first. It computes
// with measured costs (`--measure` measures them on this machine) and writes tables for docs/scale.md.
import { parseArgs } from 'node:util';
import { simulateChanges } from './changes.ts';
import { type Costs, MEASURED } from './costs.ts';
import { simulateTasks } from './tasks.ts';
import { simulateWindows } from './windows.ts';

const NODES = 100;
const WORKERS = 4;
const ACCOUNTS = 10_000_000;
const DATABASE_CORES = 64;

const { values } = parseArgs({ options: { measure: { type: 'boolean', default: false } } });
const costs = values.measure ? await (await import('./measure-costs.ts')).measureCosts() : MEASURED;

function writeTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  console.log(`| ${head.join(' | ')} |\n|${'---|'.repeat(head.length)}`);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
  console.log('');
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const ms = (value: number): string => (value < 10 ? value.toFixed(1) : whole(value));
const percent = (part: number): string => `${(part * 100).toFixed(part < 0.1 ? 1 : 0)} %`;

function writeCosts(used: Costs): void {
  writeTable(
    ['Work', 'Milliseconds of a core'],
    Object.entries(used).map(([name, cost]: [string, number]) => [name, cost.toFixed(4)]),
  );
}

function writeChanges(): void {
  const sweep = [
    { requests: 20_000, changes: 1, catalogueChanges: 0.1 },
    { requests: 20_000, changes: 10, catalogueChanges: 0.1 },
    { requests: 20_000, changes: 100, catalogueChanges: 0.1 },
    { requests: 20_000, changes: 300, catalogueChanges: 0.1 },
    { requests: 20_000, changes: 600, catalogueChanges: 0.1 },
    { requests: 20_000, changes: 10, catalogueChanges: 5 },
    { requests: 20_000, changes: 10, catalogueChanges: 30 },
    { requests: 100_000, changes: 10, catalogueChanges: 0.1 },
    { requests: 200_000, changes: 10, catalogueChanges: 0.1 },
  ];
  writeTable(
    [
      'Requests/s',
      'Changes/s',
      'Of the catalogue/s',
      'Known to all: p50, p99 ms',
      'Looks/s',
      'Forgot all',
      'Keys looked up/s',
      'Database busy',
    ],
    sweep.map((load) => {
      const fleet = { processes: NODES * WORKERS, databaseCores: DATABASE_CORES, accounts: ACCOUNTS, seconds: 10 };
      const seen = simulateChanges({ ...fleet, ...load }, costs);
      return [
        whole(load.requests),
        load.changes,
        load.catalogueChanges,
        `${ms(seen.p50)}, ${ms(seen.p99)}`,
        whole(seen.looksPerSecond),
        seen.gaps,
        whole(seen.unknownKeys),
        percent(seen.databaseBusy),
      ];
    }),
  );
}

function writeWindows(): void {
  const sweep = [5_000, 10_000, 20_000, 50_000, 100_000].flatMap((requests) =>
    [1, 4, 16].map((shards) => ({ requests, shards })),
  );
  writeTable(
    ['Requests/s with limits', 'Shards', 'Wait p50, p99 ms', 'Counted by a process alone', 'Busiest shard'],
    sweep.map((load) => {
      const seen = simulateWindows({ ...load, accounts: ACCOUNTS, seconds: 10 }, costs);
      return [
        whole(load.requests),
        load.shards,
        `${ms(seen.p50)}, ${ms(seen.p99)}`,
        percent(seen.late),
        percent(seen.busiestShard),
      ];
    }),
  );
}

function writeTasks(): void {
  writeTable(
    [
      'Live tasks',
      'Nodes that die',
      'Asked about late by: p50, p99 ms',
      'Taken over after: p99 s',
      'Looks/s',
      'Claims/s',
      'Database busy',
    ],
    [
      { tasks: 10_000, dying: 0 },
      { tasks: 100_000, dying: 0 },
      { tasks: 100_000, dying: 10 },
      { tasks: 300_000, dying: 10 },
      { tasks: 1_000_000, dying: 10 },
    ].map(({ tasks, dying }) => {
      const seen = simulateTasks(
        {
          processes: NODES * WORKERS,
          dying: dying * WORKERS,
          databaseCores: DATABASE_CORES,
          tasks,
          baseMs: 5_000,
          answerMs: 200,
          seconds: 30,
        },
        costs,
      );
      return [
        whole(tasks),
        dying,
        `${ms(seen.p50)}, ${ms(seen.p99)}`,
        dying === 0 ? '' : (seen.takenOver / 1000).toFixed(1),
        whole(seen.looksPerSecond),
        whole(seen.claimsPerSecond),
        percent(seen.databaseBusy),
      ];
    }),
  );
}

console.log(
  `${NODES} nodes of ${WORKERS} processes, ${whole(ACCOUNTS)} accounts, a database of ${DATABASE_CORES} cores\n`,
);
writeCosts(costs);
console.log('Change notices\n');
writeChanges();
console.log('Rate windows\n');
writeWindows();
console.log('Leases of video tasks\n');
writeTasks();
