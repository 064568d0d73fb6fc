// What a submit may be given beside its request: that it ran before, in a process that died, and what it made there.
import type { Exchange } from '../endpoint.ts';

export interface SubmitExchange extends Exchange {
  /** The task that is its answer. Known when the body has been read. */
  madeTask?: string | undefined;
}
