// Lines have low priority: each begins in a moment without live requests on this node, or after a bounded wait where there is
// no such moment.
import { wait } from '../shared/wait.ts';

export interface IdleDependencies {
  /** Live requests under way on this node. */
  openRequests(): number;
  wait?(ms: number): Promise<void>;
}

/** Between two lines in any case. */
const STEP_MS = 5;
/** So long a line waits for live requests: a node that is never without goes on with ten lines a second. */
const MOST_STEPS = 20;

export async function waitForIdle({ openRequests, wait: pause = wait }: IdleDependencies): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step++) {
    await pause(STEP_MS);
    if (openRequests() === 0) return;
  }
}
