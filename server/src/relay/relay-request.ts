// The way of one text request, from an authenticated call to a settled answer. Read this first:
// read -> may it? -> price and hold -> candidates -> attempt -> settle -> answer. Money moves before bytes do: no call
// leaves before its hold is durable, and no client sees the end of an answer before its charge is.
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { modelAccess } from '../catalogue/visible-models.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Ledger } from '../billing/ledger.ts';
import type { TokenUsage } from '../neutral/usage.ts';
import type { RelayRequest } from '../protocols/protocol.ts';
import type { UpstreamClient } from '../providers/call-upstream.ts';
import { serves } from '../providers/registry.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import type { Router } from '../routing/candidates.ts';
import type { Clock } from '../shared/clock.ts';
import { within } from '../shared/wait.ts';
import type { RequestRow } from '../store/ledger/operations.ts';
import type { RequestMetrics } from '../telemetry/metrics.ts';
import { attemptStream, attemptWhole } from './attempt.ts';
import { Bill, toldBySize, type Used } from './bill.ts';
import type { RelayCall } from './call.ts';
import { Cutoff } from './cutoff.ts';
import { deliverStream, KeepAlive } from './deliver-stream.ts';
import { NOTHING_USED, type OutcomeEnd, type OutcomeFacts, requestRow } from './outcome.ts';
import { tryCandidates } from './try-candidates.ts';

export interface RelayParts {
  catalogue: LiveCatalogue;
  router: Router;
  ledger: Ledger;
  client: UpstreamClient;
  clock: Clock;
  metrics: RequestMetrics;
  /** Calls under way: cut when the process can wait no longer. */
  live: Set<Cutoff>;
}

/** How long a failure waits for its own books. */
const ANSWER_WAIT_MS = 1_000;
/** A hold outlives the longest call by this much before anybody may end it. */
const HOLD_MARGIN_SECONDS = 300;

/** Answers the call. Throws what the caller is to be told, as long as nothing was sent. */
export async function relayRequest(parts: RelayParts, call: RelayCall): Promise<void> {
  const facts: OutcomeFacts = { ...call, model: null, createdAt: parts.clock.now(), attempts: [] };
  let mayHold = false;
  let request: RelayRequest | undefined;
  try {
    const read = call.read();
    request = read instanceof Promise ? await read : read;
    facts.model = request.model;
    const catalogue = parts.catalogue.current;
    const { model } = modelAccess(catalogue, call.principal, request.model);
    const { protocol } = call;
    const bill = new Bill(catalogue, { model, group: call.principal.group, request, protocol });
    const route = parts.router.route(catalogue, {
      ...call.principal,
      model: model.id,
      operation: protocol.operation,
      serves,
    });
    if (route.isBarren) throw route.exhausted();
    mayHold = true;
    await parts.ledger.hold({
      ...call.principal,
      requestId: call.requestId,
      amount: bill.holdAmount,
      price: bill.priceText,
      lifetime: HOLD_MARGIN_SECONDS + route.longestSeconds,
    });
    const cutoff = new Cutoff();
    parts.live.add(cutoff);
    call.reply.onGone(() => cutoff.cut(new UpstreamError('aborted', 'the client left')));
    try {
      const whole = !request.stream && protocol.answers === 'whole';
      await (whole ? relayWhole : relayStream)({ parts, call, facts, request, bill, route, cutoff });
    } finally {
      parts.live.delete(cutoff);
      cutoff.clear();
      route.finish();
    }
  } catch (error) {
    const failure = error instanceof GatewayError ? error : new GatewayError('internal_error', { cause: error });
    const row = requestRow(facts, { ...NOTHING_USED, status: failure.status, errorCode: failure.publicCode });
    // Whoever asks right after this answer sees the money back; a store that is away does not hold the answer up, and what
    // it could not end the sweeper will.
    // A hold whose outcome is unknown is released too: if it was never made, that changes nothing.
    const isHeld = mayHold && failure.code !== 'insufficient_quota';
    await within(ANSWER_WAIT_MS, isHeld ? parts.ledger.release(row) : parts.ledger.log(row));
    parts.metrics.ended(row);
    // What has begun cannot become another status any more; it ends as badly as it can tell.
    if (call.reply.begun) endBroken(call, request, failure);
    throw failure;
  }
}

interface RelayWork {
  parts: RelayParts;
  call: RelayCall;
  facts: OutcomeFacts;
  request: RelayRequest;
  bill: Bill;
  route: ReturnType<Router['route']>;
  cutoff: Cutoff;
}

async function relayWhole(work: RelayWork): Promise<void> {
  const { parts, call, facts, bill } = work;
  const { result, answer } = await tryCandidates({ ...work, ...facts }, async (candidate) => {
    const result = await attemptWhole({ ...parts, ...work, protocol: call.protocol }, candidate);
    const answer = call.protocol.readAnswer(result.body, result.contentType);
    const { writeAnswer } = work.request;
    const body = writeAnswer === undefined ? result.body : writeAnswer(result.body);
    if (answer === undefined || answer.hasError || body === undefined)
      throw new UpstreamError('malformed', 'the answer is not of the protocol', { status: result.status });
    return { result: { ...result, body }, answer };
  });
  const firstByteMs = performance.now() - call.startedAt;
  const used = bill.used({ ...answer, ...toldBySize(answer.outputBytes) });
  await settle(work, used, { status: result.status, errorCode: null, firstByteMs });
  call.reply.sendWhole(result.status, { 'content-type': result.contentType || 'application/json' }, result.body);
}

async function relayStream(work: RelayWork): Promise<void> {
  const { parts, call, facts, bill } = work;
  const { reply, protocol } = call;
  const keepAlive = work.request.stream ? new KeepAlive(reply) : undefined;
  try {
    const stream = await tryCandidates({ ...work, ...facts }, (candidate) =>
      attemptStream({ ...parts, ...work, protocol }, candidate),
    );
    const firstByteMs = performance.now() - call.startedAt;
    const failure = await deliverStream(stream, reply, keepAlive);
    keepAlive?.stop();
    const error = failure === undefined ? undefined : streamError(failure);
    if (error !== undefined && failure !== undefined) noteFailure(work, failure);

    const { outputPieces } = stream.reader;
    const usage = error === undefined ? stream.reader.usage : atLeast(stream.reader.usage, outputPieces);
    if (error !== undefined && !bill.isDue(error.code === 'client_gone', usage?.output ?? outputPieces)) throw error;
    const used = bill.used({ usage, output: outputPieces, source: 'counted', images: stream.reader.images });
    const status = error?.code === 'client_gone' ? error.status : 200;
    await settle(work, used, { status, errorCode: error?.code ?? null, firstByteMs });
    if (error === undefined) reply.end(stream.reader.last);
    else endBroken(work.call, work.request, error);
  } finally {
    keepAlive?.stop();
  }
}

/** The charge is durable when this resolves; if somebody else ended the hold meanwhile, the answer must not go out. */
async function settle(
  { parts, facts, bill }: RelayWork,
  { usage, source }: Used,
  end: Pick<OutcomeEnd, 'status' | 'errorCode' | 'firstByteMs'>,
): Promise<void> {
  const row: RequestRow = requestRow(facts, { ...end, usage, usageSource: source, charge: bill.charge(usage) });
  const ended = await parts.ledger.settle(row);
  if (ended !== 'settled')
    throw new GatewayError('overloaded', { message: 'This request took too long and was given up.', retryAfter: 1 });
  parts.metrics.ended(row);
}

function noteFailure({ facts, route }: RelayWork, failure: UpstreamError): void {
  route.fail(failure.errorClass, undefined);
  const last = facts.attempts.at(-1);
  if (last !== undefined) last.error = failure.errorClass;
}

function streamError(failure: UpstreamError): GatewayError {
  if (failure.errorClass === 'aborted') return new GatewayError('client_gone', { cause: failure });
  if (failure.errorClass === 'timed-out') return new GatewayError('upstream_timeout', { cause: failure });
  return new GatewayError('upstream_error', { message: 'The model provider broke off the answer.', cause: failure });
}

/** A count told in the middle of a stream that broke later may be behind what had come by then. */
function atLeast(usage: TokenUsage | undefined, pieces: number): TokenUsage | undefined {
  return usage === undefined || usage.output >= pieces ? usage : { ...usage, output: pieces };
}

/** Events can say that they end badly; bytes can only break off. */
function endBroken({ reply, protocol }: RelayCall, request: RelayRequest | undefined, error: GatewayError): void {
  const { message, type, details, publicCode } = error;
  if (request?.stream === true) {
    reply.end(protocol.errorEvent({ message, type, param: details.param ?? null, code: publicCode }));
  } else {
    reply.breakOff();
  }
}
