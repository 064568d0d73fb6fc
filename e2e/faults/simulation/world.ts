// What the parts of a simulation share.
import type { LedgerTable } from '../../../server/src/store/tables.ts';
import type { LiveCatalogue } from '../../../server/src/catalogue/live-catalogue.ts';
import type { Random } from '../random.ts';
import type { SimulatedProvider } from './simulated-provider.ts';
import type { SimulatedDatabase } from './simulated-store.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface Outcome {
  crashes: number;
  /** Processes that were stopped for a while, as by SIGSTOP. */
  stops: number;
  /** Requests whose client has the whole answer, and what it was charged. */
  answered: Map<string, bigint>;
  taskIds: string[];
  provider: SimulatedProvider;
  entries: LedgerTable[];
  database: SimulatedDatabase;
}

export interface World {
  time: VirtualTime;
  random: Random;
  database: SimulatedDatabase;
  provider: SimulatedProvider;
  catalogue: LiveCatalogue;
  outcome: Outcome;
}
