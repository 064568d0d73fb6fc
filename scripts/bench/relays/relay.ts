// What the benchmark needs to know of anything it measures. A further peer is one more object of this kind in
// `relays/list.ts`; rows and report know no relay but by its name.
import type { StartedProcesses } from '../processes/started.ts';
import type { Protocol, Target } from '../wire/chat-request.ts';

export interface Surroundings {
  processes: StartedProcesses;
  upstreamPort: number;
  /** Sentences for the reader of the report. */
  notes: string[];
  say: (progress: string) => void;
}

/** By the protocol of the client; the upstream speaks the other one. */
export type Translated = Readonly<Partial<Record<Protocol, Target>>>;

/**
 * none: nothing between load and upstream. step: a Tollgate with parts left out, measured only where they matter. guest:
 * relays that are not ours, and may fail without the run being a failure.
 */
export type Role = 'none' | 'proxy' | 'step' | 'gateway' | 'guest';

export interface RunningRelay {
  name: string;
  role: Role;
  target: Target;
  /** The same chat where client and upstream differ in protocol; undefined for a relay that does not translate. */
  translated: Translated | undefined;
  /** Roots of the process trees whose cost is measured, its database among them; none where they are not known. */
  pids: readonly number[];
  /** What it does for each request: token check, accounting, log. Accounting is said to be on or off. */
  does: string;
  version: string | undefined;
  /** Prometheus text of a gateway that has it. */
  metrics?: () => Promise<string>;
}

/** Why a relay is not measured, as a sentence for the reader. */
export interface LeftOut {
  leftOut: string;
}

export interface Relay {
  name: string;
  start(surroundings: Surroundings): Promise<RunningRelay | LeftOut>;
}
