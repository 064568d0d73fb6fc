// Change notices in a fleet: how long a change takes to every process, and what it costs the database that they share. The
// rules are those of access/change-watch.ts: an announcement makes each process look at once, looks that meet share one,
// and more than so many notices in one look make a process forget every key and read the catalogue again.
import { LISTENING_INTERVAL_MS, MANY } from '../../server/src/access/change-watch.ts';
import type { Costs } from './costs.ts';
import { type Random, quantile, seeded, sortedUp, untilNext, zipf } from './spread.ts';
import { Station } from './station.ts';
import { VirtualTime } from './virtual-time.ts';

export interface ChangesFleet {
  processes: number;
  databaseCores: number;
  accounts: number;
  /** Requests of all processes together, per second. */
  requests: number;
  /** Changes of tokens and accounts, and of the catalogue, per second. */
  changes: number;
  catalogueChanges: number;
  seconds: number;
}

export interface ChangesOutcome {
  /** From an operator's change until the last process has it, milliseconds. */
  p50: number;
  p99: number;
  looksPerSecond: number;
  gaps: number;
  unknownKeys: number;
  databaseBusy: number;
  longestQueue: number;
}

interface Process {
  position: number;
  isLooking: boolean;
  wantsLook: boolean;
  /** Keys that this process knows, by account. */
  known: Set<number>;
}

/** Changes go one after another, each until its commit is on the disk (store/queries/changes.ts, lockChanges). */
const COMMIT_MS = 2;
/** Half a millisecond each way, between machines of one room. */
const NETWORK_MS = 0.5;

export function simulateChanges(fleet: ChangesFleet, costs: Costs, seed = 1): ChangesOutcome {
  const random = seeded(seed);
  const time = new VirtualTime();
  const database = new Station(time, fleet.databaseCores);
  const lock = new Station(time, 1);
  const processes = Array.from({ length: fleet.processes }, newProcess);
  const log: { at: number; isCatalogue: boolean; account: number; left: number }[] = [];
  const delays: number[] = [];
  const counts = { looks: 0, gaps: 0, unknown: 0 };

  const look = (process: Process): void => {
    if (process.isLooking) {
      process.wantsLook = true;
      return;
    }
    process.isLooking = true;
    counts.looks++;
    const until = log.length;
    const fresh = until - process.position;
    database.do(costs.look + fresh * costs.notice, () => time.after(NETWORK_MS, () => apply(process, until)));
  };
  const apply = (process: Process, until: number): void => {
    const fresh = log.slice(process.position, until);
    const isGap = fresh.length > MANY;
    if (isGap) {
      counts.gaps++;
      process.known.clear();
    } else for (const { account } of fresh) process.known.delete(account);
    const end = (): void => {
      for (const change of fresh) if (--change.left === 0) delays.push(time.now - change.at);
      process.position = until;
      process.isLooking = false;
      if (process.wantsLook) {
        process.wantsLook = false;
        look(process);
      }
    };
    if (isGap || fresh.some(({ isCatalogue }) => isCatalogue)) database.do(costs.catalogue, end);
    else end();
  };
  const change = (isCatalogue: boolean): void => {
    const began = time.now;
    database.do(costs.change, () =>
      lock.do(COMMIT_MS, () => {
        const account = isCatalogue ? -1 : zipf(random, fleet.accounts);
        log.push({ at: began, isCatalogue, account, left: fleet.processes });
        for (const process of processes) time.after(NETWORK_MS, () => look(process));
      }),
    );
  };

  for (const process of processes)
    time.every(LISTENING_INTERVAL_MS, random() * LISTENING_INTERVAL_MS, () => look(process));
  byChance(time, random, fleet.changes, () => change(false));
  byChance(time, random, fleet.catalogueChanges, () => change(true));
  byChance(time, random, fleet.requests, () => {
    const process = processes[Math.floor(random() * processes.length)] as Process;
    const account = zipf(random, fleet.accounts);
    if (!process.known.has(account)) {
      process.known.add(account);
      counts.unknown++;
      database.do(costs.principal, () => {});
    }
    database.do(costs.chat, () => {});
  });
  time.runUntil(fleet.seconds * 1000);

  // What has not arrived at the end has taken at least as long as until now.
  for (const { at, left } of log) if (left > 0) delays.push(time.now - at);
  const sorted = sortedUp(delays);
  return {
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    looksPerSecond: counts.looks / fleet.seconds,
    gaps: counts.gaps,
    unknownKeys: counts.unknown / fleet.seconds,
    databaseBusy: database.utilisation,
    longestQueue: database.longestQueue,
  };
}

function newProcess(): Process {
  return { position: 0, isLooking: false, wantsLook: false, known: new Set() };
}

function byChance(time: VirtualTime, random: Random, perSecond: number, run: () => void): void {
  if (perSecond <= 0) return;
  time.after(untilNext(random, perSecond), () => {
    run();
    byChance(time, random, perSecond, run);
  });
}
