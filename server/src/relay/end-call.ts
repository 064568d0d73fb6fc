// How the money of a call ends: charged, given back, or left open by the call's settlement until its upstream is done. A call
// whose hold stays open is counted when that is settled.
import type { Ledger } from '../billing/ledger.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { within } from '../shared/wait.ts';
import type { RequestMetrics } from '../telemetry/counted-events.ts';
import type { CallEnd, RelayCall, Settlement } from './call.ts';

export interface EndDependencies {
  ledger: Ledger;
  metrics: RequestMetrics;
}

export type EndedCall = Omit<CallEnd, 'kind' | 'channelKey'>;

type Ending = Pick<RelayCall, 'settlement' | 'affinity' | 'reply'>;

/** How long a failure waits for its own books. */
export const ANSWER_WAIT_MS = 1_000;

/** Resolves with whether it is charged now, and not later by the settlement. The charge is durable then; if somebody else ended the hold meanwhile, the answer must not go out. */
export async function settleCall(
  { ledger, metrics }: EndDependencies,
  call: Ending,
  ended: EndedCall,
): Promise<boolean> {
  const { row } = ended;
  // What was sent upstream for a client that has left is due like what was delivered: it cannot be taken back.
  const isDelivered = call.reply.begun || call.reply.gone;
  if (call.settlement !== undefined) {
    const deferred = defer(call.settlement, call, { ...ended, kind: 'settle' });
    const isDeferred = await deferred.catch((error: unknown) => {
      throw isDelivered ? ledger.keepDue(row, error) : error;
    });
    if (isDeferred) return false;
  }
  if ((await ledger.settle(row, { isDelivered })) !== 'settled')
    throw new GatewayError('overloaded', { message: 'This request took too long and was given up.', retryAfter: 1 });
  metrics.ended(row);
  return true;
}

/**
 * Gives the whole hold back, unless the upstream goes on with the request. A client that asks right after the answer sees
 * its money back; a store that is away does not delay the answer, and what it could not end the sweeper will.
 */
export async function releaseCall({ ledger, metrics }: EndDependencies, call: Ending, ended: EndedCall): Promise<void> {
  const { settlement } = call;
  let isDeferred = false;
  const release = async (): Promise<unknown> => {
    // What cannot be deferred is given back: that is tried until it is done.
    if (settlement !== undefined)
      isDeferred = await defer(settlement, call, { ...ended, kind: 'release' }).catch(() => false);
    return isDeferred || ledger.release(ended.row);
  };
  await within(ANSWER_WAIT_MS, release());
  if (!isDeferred) metrics.ended(ended.row);
}

function defer(settlement: Settlement, { affinity }: Ending, end: Omit<CallEnd, 'channelKey'>): Promise<boolean> {
  return settlement.defer({ ...end, channelKey: affinity?.taken });
}
