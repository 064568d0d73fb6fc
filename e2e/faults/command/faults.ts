// Every fault there is, in the order of the promises. A new one is a line here.
import { idleConnections, leavingClients, neverReaders, slowReaders } from '../cases/clients-leave.ts';
import { jumpingClock } from '../cases/clock.ts';
import { cutCommits, frozenDatabase, killedDatabase } from '../cases/database-away.ts';
import { fullDisk, fullLogDisk } from '../cases/disk.ts';
import { failingQueries } from '../cases/failing-queries.ts';
import { namedKill, randomKill } from '../cases/kill.ts';
import { crashedMigration } from '../cases/migration.ts';
import { brokenRedis } from '../cases/redis.ts';
import { sharedRates } from '../cases/shared-rates.ts';
import { loadStep, noisyNeighbour } from '../cases/overload.ts';
import { restartWithTasks } from '../cases/restart-with-tasks.ts';
import { simulation } from '../cases/simulation.ts';
import { soak } from '../cases/soak.ts';
import { fleetSoak } from '../cases/fleet-soak.ts';
import { meddledSpending, parallelSpending, stopUnderStreams } from '../cases/stop-and-parallel.ts';
import { lostSubmit, oddPolls, sleepingPoller } from '../cases/tasks.ts';
import { killedBatch } from '../cases/batches.ts';
import { threeNodes } from '../cases/three-nodes.ts';
import { brokenConnection, garbage, redirects } from '../cases/upstream-breaks.ts';
import { hangingHead, hangingStream } from '../cases/upstream-hangs.ts';
import { rollingUpgrade } from '../cases/upgrade.ts';
import type { Fault } from './fault.ts';

export const faults: readonly Fault[] = [
  randomKill,
  namedKill,
  killedDatabase,
  frozenDatabase,
  cutCommits,
  brokenRedis,
  failingQueries,
  fullDisk,
  fullLogDisk,
  jumpingClock,
  hangingHead,
  hangingStream,
  brokenConnection,
  garbage,
  redirects,
  leavingClients,
  slowReaders,
  neverReaders,
  idleConnections,
  stopUnderStreams,
  parallelSpending,
  sharedRates,
  meddledSpending,
  sleepingPoller,
  lostSubmit,
  oddPolls,
  soak,
  fleetSoak,
  crashedMigration,
  simulation,
  threeNodes,
  killedBatch,
  restartWithTasks,
  rollingUpgrade,
  loadStep,
  noisyNeighbour,
];
