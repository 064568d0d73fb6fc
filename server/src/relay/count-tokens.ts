// How many tokens a prompt has: costs nothing and is logged. An upstream of the caller's own protocol knows; where no
// channel of the model has one, or none answers, the prompt is estimated by its size.
import { estimateInput } from '../billing/estimate.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { RelayRequest } from '../protocols/protocol.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import type { Route } from '../routing/route.ts';
import { within } from '../shared/wait.ts';
import type { RequestRow } from '../store/ledger/operations.ts';
import { type Admitted, admitCount } from './admit.ts';
import { attemptWhole } from './attempt.ts';
import type { RelayCall } from './call.ts';
import { Cancellation } from '../providers/cancellation.ts';
import { failedRow, NOTHING_USED, type OutcomeFacts, requestRow } from './outcome.ts';
import { readWhole } from './translate.ts';
import type { RelayDependencies } from './relay-request.ts';
import { tryCandidates } from './try-candidates.ts';

export interface CountCall extends Omit<RelayCall, 'strict'> {
  /** The answer, where the gateway itself has to estimate. */
  writeCount(tokens: number): Buffer;
}

/** How long an answer waits for its line in the log. */
const LOG_WAIT_MS = 1_000;
const JSON_TYPE = 'application/json';
const NO_SUCH_PATH: ReadonlySet<number> = new Set([404, 405]);

/** Nothing of it is kept elsewhere, so its size can be estimated. */
function isWhole({ refersElsewhere }: RelayRequest): boolean {
  return refersElsewhere !== true;
}

export async function countTokens(dependencies: RelayDependencies, call: CountCall): Promise<void> {
  const facts: OutcomeFacts = { ...call, model: null, createdAt: dependencies.clock.now(), attempts: [] };
  const log = async (row: RequestRow): Promise<void> => {
    await within(LOG_WAIT_MS, dependencies.ledger.log(row));
    dependencies.metrics.ended(row);
  };
  let admitted: Admitted | undefined;
  try {
    const request = await call.read();
    facts.model = request.model;
    admitted = await admitCount(dependencies, call, { protocol: call.protocol, request });
    const counted = await ask(dependencies, call, { request, route: admitted.route, facts });
    if (counted === undefined) call.reply.setHeader('x-tollgate-usage-source', 'estimated');
    const body = counted ?? call.writeCount(estimateInput(request));
    await log(requestRow(facts, { ...NOTHING_USED, status: 200, errorCode: null }));
    call.reply.sendWhole(200, { 'content-type': JSON_TYPE }, body);
  } catch (error) {
    const failure = error instanceof GatewayError ? error : new GatewayError('internal_error', { cause: error });
    await log(failedRow(facts, failure));
    throw failure;
  } finally {
    admitted?.grant?.end();
  }
}

/** undefined when no upstream has an answer; throws when the upstream refuses the request itself. */
async function ask(
  dependencies: RelayDependencies,
  { protocol, reply }: CountCall,
  { request, route, facts }: { request: RelayRequest; route: Route; facts: OutcomeFacts },
): Promise<Buffer | undefined> {
  if (route.hasNoUsableChannel) return undefined;
  const cancellation = new Cancellation();
  dependencies.live.add(cancellation);
  reply.onGone(() => cancellation.cancel(new UpstreamError('aborted', 'the client left')));
  try {
    return await tryCandidates(
      { route, cancellation, attempts: facts.attempts, since: facts.startedAt },
      async (candidate) => {
        const result = await attemptWhole({ ...dependencies, cancellation, protocol, request }, candidate);
        return readWhole({ protocol, request }, result).result.body;
      },
    );
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    // Compatible upstreams often have no path for it.
    const lacksPath = error.code === 'upstream_rejected' && NO_SUCH_PATH.has(error.status) && isWhole(request);
    if (lacksPath || error.status >= 500 || error.code === 'upstream_rate_limited') return undefined;
    throw error;
  } finally {
    dependencies.live.delete(cancellation);
    cancellation.clear();
    route.finish();
  }
}
