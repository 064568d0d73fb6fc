// A call about something that an upstream keeps under an id: goes to the one channel key that has it, costs nothing, is logged.
import type { Principal } from '../../access/principal.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Protocol } from '../../protocols/protocol.ts';
import { buildUpstreamRequest, upstreamSettings } from '../../providers/build-request.ts';
import type { UpstreamClient } from '../../providers/call-upstream.ts';
import type { UpstreamRequest } from '../../providers/upstream-request.ts';
import { findProvider } from '../../providers/registry.ts';
import { UpstreamError } from '../../providers/upstream-error.ts';
import type { ChannelKeyId } from '../../routing/affinity.ts';
import type { Candidate } from '../../routing/route.ts';
import { secretsOf } from '../../routing/secrets-of.ts';
import { within } from '../../shared/wait.ts';
import type { RequestRow } from '../../store/ledger/operations.ts';
import type { ClientReply } from '../call.ts';
import { CollectedAnswer, type WholeResult } from '../../providers/collect-answer.ts';
import { Cancellation } from '../../providers/cancellation.ts';
import { failedRow, NOTHING_USED, type OutcomeFacts, requestRow } from '../outcome.ts';
import type { RelayDependencies } from '../relay-request.ts';
import { sendUpstream } from '../../providers/send-upstream.ts';
import { type AttemptRecord, tryCandidates } from '../try-candidates.ts';

/** What is asked about something that is kept. */
export interface StoredQuestion {
  protocol: Protocol;
  method: UpstreamRequest['method'];
  /** Behind the path of the protocol's operation, with its query. */
  path: string;
}

export interface StoredCall extends StoredQuestion {
  requestId: string;
  endpoint: string;
  principal: Principal;
  startedAt: number;
  reply: ClientReply;
  /** Where it is kept; throws what the caller is answered when nothing is kept under the id. */
  find(): Promise<ChannelKeyId>;
  /** Work that must be done before the caller is answered with success. */
  onSuccess?(result: WholeResult): Promise<void>;
}

/** How long an answer waits for its line in the log. */
const LOG_WAIT_MS = 1_000;

/** Answers the call with what the upstream says; throws what the caller is answered instead. */
export async function relayStored(dependencies: RelayDependencies, call: StoredCall): Promise<void> {
  const facts: OutcomeFacts = { ...call, model: null, createdAt: dependencies.clock.now(), attempts: [] };
  const log = async (row: RequestRow): Promise<void> => {
    await within(LOG_WAIT_MS, dependencies.ledger.log(row));
    dependencies.metrics.ended(row);
  };
  try {
    const result = await ask(dependencies, call, facts);
    const { status, contentType, body } = result;
    await call.onSuccess?.(result);
    const firstByteMs = performance.now() - call.startedAt;
    await log(requestRow(facts, { ...NOTHING_USED, status, errorCode: null, firstByteMs }));
    call.reply.sendWhole(status, { 'content-type': contentType || 'application/json' }, body);
  } catch (error) {
    const failure = error instanceof GatewayError ? error : new GatewayError('internal_error', { cause: error });
    await log(failedRow(facts, failure));
    throw failure;
  }
}

async function ask(
  dependencies: RelayDependencies,
  call: StoredCall,
  { attempts }: OutcomeFacts,
): Promise<WholeResult> {
  if (call.principal.accountStatus !== 'active') throw new GatewayError('account_disabled');
  const channelKey = await call.find();
  const cancellation = new Cancellation();
  dependencies.live.add(cancellation);
  call.reply.onGone(() => cancellation.cancel(new UpstreamError('aborted', 'the client left')));
  try {
    const { accountId } = call.principal;
    return await askChannelKey(dependencies, call, {
      channelKey: { ...channelKey, accountId },
      cancellation,
      attempts,
    });
  } finally {
    dependencies.live.delete(cancellation);
  }
}

/** Asks the one channel key; throws what the caller is answered when it gives no answer. */
export async function askChannelKey(
  dependencies: Pick<RelayDependencies, 'router' | 'catalogue' | 'client'>,
  question: StoredQuestion,
  {
    channelKey,
    cancellation,
    attempts,
  }: { channelKey: ChannelKeyId & { accountId?: string }; cancellation: Cancellation; attempts: AttemptRecord[] },
): Promise<WholeResult> {
  const route = dependencies.router.routeTo(dependencies.catalogue.current, undefined, channelKey);
  try {
    return await tryCandidates({ route, cancellation, attempts }, (candidate) =>
      askOne(dependencies, question, { candidate, cancellation }),
    );
  } finally {
    cancellation.clear();
    route.finish();
  }
}

function askOne(
  { client }: Pick<RelayDependencies, 'client'>,
  call: StoredQuestion,
  { candidate, cancellation }: { candidate: Candidate; cancellation: Cancellation },
): Promise<WholeResult> {
  return new Promise((resolve, reject) => {
    const { readComplaint } = call.protocol;
    const refusals = findProvider(candidate.channel.facts.provider)?.refusals;
    const answer = new CollectedAnswer({ readComplaint, refusals, stream: undefined, expects: '', resolve, reject });
    const { totalMs } = candidate.channel.facts.options;
    sendUpstream({ client, cancellation, answer, totalMs }, upstreamRequest(client, call, candidate));
  });
}

function upstreamRequest(
  client: UpstreamClient,
  { protocol, method, path }: StoredQuestion,
  candidate: Candidate,
): UpstreamRequest | Promise<UpstreamRequest> {
  const provider = findProvider(candidate.channel.facts.provider);
  const base = provider?.paths[protocol.operation];
  if (provider === undefined || base === undefined)
    throw new UpstreamError('malformed', `no ${protocol.operation} there`);
  return buildUpstreamRequest(provider, candidate, {
    method,
    path: pathBehind(typeof base === 'string' ? base : base('', false, upstreamSettings(candidate)), path),
    headers: { accept: 'application/json' },
    body: null,
    mask: secretsOf(candidate),
    client,
  });
}

/** A query that every path of the upstream has stands behind the one that is asked about. */
function pathBehind(base: string, path: string): string {
  const [front = '', query] = base.split('?');
  if (query === undefined) return front + path;
  return `${front}${path}${path.includes('?') ? '&' : '?'}${query}`;
}
