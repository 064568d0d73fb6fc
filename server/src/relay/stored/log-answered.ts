// The line in the request log of a call that the gateway answers from what it keeps itself: nothing is asked of an upstream,
// nothing is charged.
import { within } from '../../shared/wait.ts';
import type { RelayCall } from '../call.ts';
import { NOTHING_USED, requestRow } from '../outcome.ts';
import type { RelayDependencies } from '../relay-request.ts';

/** How long an answer waits for its line in the log. */
const LOG_WAIT_MS = 1_000;

export async function logAnswered(
  { ledger, clock, metrics }: RelayDependencies,
  call: Pick<RelayCall, 'requestId' | 'endpoint' | 'principal' | 'startedAt'> & { model: string },
): Promise<void> {
  const { requestId, endpoint, principal, startedAt, model } = call;
  const facts = { requestId, endpoint, principal, startedAt, model, createdAt: clock.now(), attempts: [] };
  const firstByteMs = performance.now() - startedAt;
  const row = requestRow(facts, { ...NOTHING_USED, status: 200, errorCode: null, firstByteMs });
  await within(LOG_WAIT_MS, ledger.log(row));
  metrics.ended(row);
}
