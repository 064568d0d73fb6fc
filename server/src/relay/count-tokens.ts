// How many tokens a prompt has: costs nothing and is logged. An upstream of the caller's own protocol knows; where no
// channel of the model has one, or none answers, the prompt is estimated by its size.
import type { Admission } from '../access/rate-limit/rate-limiter.ts';
import { estimateInput } from '../billing/estimate.ts';
import type { Model } from '../catalogue/catalogue.ts';
import { modelAccess } from '../catalogue/visible-models.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { RelayRequest } from '../protocols/protocol.ts';
import { serves } from '../providers/registry.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import { within } from '../shared/wait.ts';
import type { RequestRow } from '../store/ledger/operations.ts';
import { attemptWhole } from './attempt.ts';
import type { RelayCall } from './call.ts';
import { Cutoff } from './cutoff.ts';
import { enterByRate } from './enter-by-rate.ts';
import { failedRow, NOTHING_USED, type OutcomeFacts, requestRow } from './outcome.ts';
import { ruleOfObjects } from './stored/owned-objects.ts';
import { readWhole } from './read-whole.ts';
import type { RelayParts } from './relay-request.ts';
import { tryCandidates } from './try-candidates.ts';

export interface CountCall extends Omit<RelayCall, 'strict'> {
  /** The answer, where the gateway itself has to guess. */
  writeCount(tokens: number): Buffer;
}

/** How long an answer waits for its line in the log. */
const LOG_WAIT_MS = 1_000;
const JSON_TYPE = 'application/json';

export async function countTokens(parts: RelayParts, call: CountCall): Promise<void> {
  const facts: OutcomeFacts = { ...call, model: null, createdAt: parts.clock.now(), attempts: [] };
  const log = async (row: RequestRow): Promise<void> => {
    await within(LOG_WAIT_MS, parts.ledger.log(row));
    parts.metrics.ended(row);
  };
  let admission: Admission | undefined;
  try {
    const request = await call.read();
    facts.model = request.model;
    const { model } = modelAccess(parts.catalogue.current, call.principal, request.model);
    admission = await enterByRate(parts.limiter, call, request);
    const told = await ask(parts, call, { request, model, facts });
    if (told === undefined) call.reply.setHeader('x-tollgate-usage-source', 'estimated');
    const body = told ?? call.writeCount(estimateInput(request));
    await log(requestRow(facts, { ...NOTHING_USED, status: 200, errorCode: null }));
    call.reply.sendWhole(200, { 'content-type': JSON_TYPE }, body);
  } catch (error) {
    const failure = error instanceof GatewayError ? error : new GatewayError('internal_error', { cause: error });
    await log(failedRow(facts, failure));
    throw failure;
  } finally {
    admission?.end();
  }
}

/** undefined when nobody can tell; throws when the upstream refuses the request itself. */
async function ask(
  parts: RelayParts,
  { principal, protocol, reply }: CountCall,
  { request, model, facts }: { request: RelayRequest; model: Model; facts: OutcomeFacts },
): Promise<Buffer | undefined> {
  const catalogue = parts.catalogue.current;
  const { operation } = protocol;
  const objects = await ruleOfObjects(parts.objects, { catalogue, principal, request, model, operation });
  const wish = { ...principal, model: model.id, operation, serves, ...(objects && { objects }) };
  const route = parts.router.route(catalogue, wish);
  if (route.hasNoUsableChannel) return undefined;
  const cutoff = new Cutoff();
  parts.live.add(cutoff);
  reply.onGone(() => cutoff.cut(new UpstreamError('aborted', 'the client left')));
  try {
    return await tryCandidates({ route, cutoff, attempts: facts.attempts }, async (candidate) => {
      const result = await attemptWhole({ ...parts, cutoff, protocol, request }, candidate);
      return readWhole({ protocol, request }, result).result.body;
    });
  } catch (error) {
    const isUnanswered =
      error instanceof GatewayError && (error.status >= 500 || error.code === 'upstream_rate_limited');
    if (isUnanswered) return undefined;
    throw error;
  } finally {
    parts.live.delete(cutoff);
    cutoff.clear();
    route.finish();
  }
}
