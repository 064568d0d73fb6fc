// Runs one fault on one store and says how it went. Whatever it started is ended, however it ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreSettings } from '../../../server/src/store/open-store.ts';
import { makeDatabase } from '../../../server/src/testing/stores.ts';
import { makeRandom } from '../random.ts';
import type { Sums } from '../rig/records/four-sums.ts';
import { Rig } from '../rig/rig.ts';
import { type Bench, type Fault, promisedRounds, type StoreName } from './fault.ts';
import { Skipped } from './skipped.ts';

export interface FaultResult {
  fault: Fault;
  store: StoreName;
  rounds: number;
  result: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  reason: string | undefined;
  notes: string[];
  figures: string[];
  sums: Sums | undefined;
  seconds: number;
}

export interface RunOptions {
  rounds: number | undefined;
  isFull?: boolean;
  core?: number | undefined;
  seconds: number | undefined;
  seed: number;
  databaseServer: string | undefined;
}

export async function runFault(fault: Fault, store: StoreName, options: RunOptions): Promise<FaultResult> {
  const startedAt = performance.now();
  const endings: (() => unknown)[] = [];
  const notes: string[] = [];
  const figures: string[] = [];
  const rounds = options.rounds ?? (options.isFull === true ? promisedRounds(fault) : fault.rounds);
  const makeSettings = async (): Promise<StoreSettings> => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'tollgate-faults-'));
    endings.push(() => rmSync(dataFolder, { recursive: true, force: true }));
    return {
      dataFolder,
      databaseUrl: store === 'postgres' ? await makeDatabase(options.databaseServer ?? '') : undefined,
    };
  };
  const bench: Bench = {
    store,
    rounds,
    seconds: options.seconds,
    core: options.core,
    random: makeRandom(options.seed),
    databaseServer: options.databaseServer,
    note: (fact) => notes.push(fact),
    figures: (text) => figures.push(text),
    makeSettings,
    async startRig(rigOptions = {}) {
      const rig = await Rig.start(await makeSettings(), { gateways: store === 'postgres' ? 2 : 1, ...rigOptions });
      endings.push(() => rig.stop());
      return rig;
    },
    atEnd: (work) => endings.push(work),
  };
  const outcome = await attempt(() => fault.run(bench));
  for (const end of endings.reverse()) await attempt(async () => void (await end()));
  return { fault, store, rounds, notes, figures, seconds: (performance.now() - startedAt) / 1000, ...outcome };
}

async function attempt(
  work: () => Promise<Sums | undefined>,
): Promise<Pick<FaultResult, 'result' | 'reason' | 'sums'>> {
  try {
    return { result: 'passed', reason: undefined, sums: await work() };
  } catch (error) {
    if (error instanceof Skipped) return { result: 'skipped', reason: error.message, sums: undefined };
    return {
      result: 'failed',
      reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
      sums: undefined,
    };
  }
}
