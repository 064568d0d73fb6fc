// Opens a session: may it, is there money for a response, and which upstream takes it. The next channel is tried only as long
// as no upstream has taken it; the client is answered when one has.
import type { Principal } from '../../access/principal.ts';
import type { RateGrant } from '../../access/rate-limit/rate-limiter.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { readComplaint } from '../../protocols/openai-chat/error.ts';
import { FIRST_SETTINGS } from '../../protocols/realtime/index.ts';
import { buildUpstreamRequest, upstreamSettings } from '../../providers/build-request.ts';
import type { OpenSocket } from '../../providers/open-socket.ts';
import { findProvider } from '../../providers/registry.ts';
import { UpstreamError } from '../../providers/upstream-error.ts';
import type { Candidate, Route } from '../../routing/route.ts';
import { secretsOf } from '../../routing/secrets-of.ts';
import { admitSession } from '../admit.ts';
import { Cancellation } from '../../providers/cancellation.ts';
import type { ClientReply } from '../call.ts';
import { failedRow, type OutcomeFacts } from '../outcome.ts';
import type { RelayDependencies } from '../relay-request.ts';
import { type AttemptRecord, tryCandidates } from '../try-candidates.ts';
import { askedOf } from './client-side.ts';
import { ContextSize } from './context-size.ts';
import { Responses } from './responses.ts';
import { ENDPOINT, SessionScope } from './session-scope.ts';

export interface SessionCall {
  requestId: string;
  principal: Principal;
  model: string;
  /** performance.now() when the request arrived. */
  startedAt: number;
  /** The head of the answer. */
  reply: Pick<ClientReply, 'setHeader'>;
  refresh(): Principal | Promise<Principal>;
  /** Fires when the client leaves before it is answered. */
  signal: AbortSignal;
}

export interface OpenedSession extends OpenSocket {
  scope: SessionScope;
  context: ContextSize;
  responses: Responses;
  candidate: Candidate;
  route: Route;
  facts: OutcomeFacts;
  /** The session counts for its token as long as it lasts. */
  grant: RateGrant | undefined;
}

/** What one event may have: as much as the vendor takes. */
export const MOST_EVENT_BYTES = 16 * 1024 * 1024;

/** Throws what the client is answered instead. */
export async function openSession(
  dependencies: RelayDependencies,
  call: SessionCall,
  mostSessions: number,
): Promise<OpenedSession> {
  const { requestId, principal, model, startedAt, refresh } = call;
  const createdAt = dependencies.clock.now();
  const attempts: AttemptRecord[] = [];
  const facts: OutcomeFacts = { requestId, endpoint: ENDPOINT, principal, startedAt, createdAt, model, attempts };
  const scope = new SessionScope({ dependencies, requestId, model, attempts, refresh });
  const context = new ContextSize();
  const responses = new Responses(scope, context);
  let grant: RateGrant | undefined;
  let route: Route | undefined;
  try {
    const admitted = await admitSession(
      dependencies,
      { requestId, endpoint: ENDPOINT, principal, reply: call.reply },
      model,
    );
    route = admitted.route;
    admitted.grant?.end(); // each response is counted by itself
    grant = await countSession(dependencies, call, mostSessions);
    await responses.prepare(askedOf({}, FIRST_SETTINGS), 0);
    const opened = await connect(dependencies, call, { route: admitted.route, attempts });
    const { channel, key } = opened.candidate;
    scope.channelKey = { channelId: channel.facts.id, keyId: key.id };
    return { ...opened, scope, context, responses, route: admitted.route, facts, grant };
  } catch (error) {
    grant?.end();
    route?.finish();
    await responses.end('broken');
    const failure = error instanceof GatewayError ? error : new GatewayError('internal_error', { cause: error });
    const row = failedRow(facts, failure);
    await dependencies.ledger.log(row).catch(() => undefined);
    dependencies.metrics.ended(row);
    throw failure;
  }
}

/** Over all processes that share their rate windows. */
async function countSession(
  { limiter }: RelayDependencies,
  { requestId, principal }: SessionCall,
  most: number,
): Promise<RateGrant | undefined> {
  const { mode, tokenId } = principal;
  const rate = { rpm: undefined, tpm: undefined, concurrency: most };
  const counted = { rateSubjects: [{ key: `realtime:${mode}:{${tokenId}}`, rate }] };
  try {
    return await limiter.admit({ requestId, endpoint: ENDPOINT, principal: counted }, 0);
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'rate_limit_exceeded') throw error;
    const message = `This API key has ${most} realtime sessions open, which is as many as it may have. Close one and retry.`;
    throw new GatewayError('rate_limit_exceeded', { message, retryAfter: 1 });
  }
}

async function connect(
  { client }: RelayDependencies,
  { model, signal }: SessionCall,
  { route, attempts }: { route: Route; attempts: AttemptRecord[] },
): Promise<OpenSocket & { candidate: Candidate }> {
  const cancellation = new Cancellation();
  const abort = (): void => cancellation.cancel(new UpstreamError('aborted', 'the client left'));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await tryCandidates({ route, cancellation, attempts, model }, async (candidate) => {
      const { facts } = candidate.channel;
      const provider = findProvider(facts.provider);
      const path = provider?.paths.realtime;
      const upstreamModel = facts.models.get(model);
      if (provider === undefined || path === undefined) throw new UpstreamError('malformed', 'no realtime there');
      if (upstreamModel === undefined)
        throw new UpstreamError('unreachable', 'the channel carries the model no longer');
      const request = await buildUpstreamRequest(provider, candidate, {
        method: 'GET',
        path: typeof path === 'string' ? path : path(upstreamModel, true, upstreamSettings(candidate)),
        headers: {},
        body: null,
        mask: secretsOf(candidate),
        client,
      });
      const { refusals } = provider;
      const opened = await client.openSocket(request, {
        maxPayload: MOST_EVENT_BYTES,
        signal,
        readComplaint,
        refusals,
      });
      return { ...opened, candidate };
    });
  } finally {
    signal.removeEventListener('abort', abort);
    cancellation.clear();
  }
}
