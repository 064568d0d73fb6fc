// What a fault test is: a name of promises.md, the stores it makes sense on, and a run that throws when a promise breaks.
import type { StoreSettings } from '../../../server/src/store/open-store.ts';
import type { Random } from '../random.ts';
import type { Sums } from '../rig/records/four-sums.ts';
import type { Rig, RigOptions } from '../rig/rig.ts';

export type StoreName = 'sqlite' | 'postgres';
export const BOTH: readonly StoreName[] = ['sqlite', 'postgres'];

export interface Fault {
  id: string;
  title: string;
  stores: readonly StoreName[];
  /** By default; what one is, the fault decides. */
  rounds: number;
  /** What promises.md asks for, where that takes longer than one waits for every day. */
  fullRounds?: number;
  /** Runs only when it is named. */
  isSoak?: boolean;
  /** Resolves with the sums of its reconcile, where it moves money. */
  run(bench: Bench): Promise<Sums | undefined>;
}

export const promisedRounds = ({ rounds, fullRounds = rounds }: Fault): number => fullRounds;

export interface Bench {
  store: StoreName;
  rounds: number;
  /** Length of what goes by time; undefined = the fault's own. */
  seconds: number | undefined;
  /** Part of a core that a gateway of a soak is to use; undefined = the soak's own. */
  core: number | undefined;
  random: Random;
  /** The server on which databases are made. */
  databaseServer: string | undefined;
  /** A fact for the report. */
  note(fact: string): void;
  /** Figures for a page of their own. */
  figures(text: string): void;
  /** A fresh, empty database. */
  makeSettings(): Promise<StoreSettings>;
  /** A rig on a fresh database, with two gateways on PostgreSQL and one on SQLite by default. */
  startRig(options?: RigOptions): Promise<Rig>;
  atEnd(work: () => unknown): void;
}
