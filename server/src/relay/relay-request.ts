// The path of one text request, from an authenticated call to a settled answer. Read this first:
// read -> may it? -> price and hold -> candidates -> attempt -> settle -> answer. Money moves before bytes do: no call
// leaves before its hold is durable, and no client sees the end of an answer before its charge is.
import { modelAt, readAgreed } from '../billing/agreed-price.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { DEFAULT_MAX_OUTPUT } from '../billing/estimate.ts';
import type { RateGrant, RateLimiter } from '../access/rate-limit/rate-limiter.ts';
import type { Ledger } from '../billing/ledger.ts';
import type { RelayRequest } from '../protocols/protocol.ts';
import type { UpstreamClient } from '../providers/call-upstream.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import type { Router } from '../routing/candidates.ts';
import type { Candidate } from '../routing/route.ts';
import type { Clock } from '../shared/clock.ts';
import type { IndexedSet } from '../shared/runtime/indexed-set.ts';
import { within } from '../shared/wait.ts';
import type { UpstreamObjects } from '../store/queries/upstream-objects.ts';
import type { RequestMetrics } from '../telemetry/counted-events.ts';
import { admit } from './admit.ts';
import { attemptStream, attemptWhole } from './attempt.ts';
import { Bill } from './bill.ts';
import { reportBySize, type UsageReport, type Used } from './usage-report.ts';
import { atLeast, deliverStream, endBroken, KeepAlive, streamError, tooLate } from './deliver-stream.ts';
import type { RelayCall } from './call.ts';
import { type Checkpoints, followedStream, type StreamCheckpoints } from './checkpoints.ts';
import { Cancellation } from '../providers/cancellation.ts';
import { OpenStream } from './open-stream.ts';
import {
  ANSWER_WAIT_MS,
  failedRow,
  type OutcomeEnd,
  type OutcomeFacts,
  releaseCall,
  requestRow,
  settleCall,
} from './outcome.ts';
import { attemptWords, failureFacts } from './failure-facts.ts';
import { holdMoney } from './hold-money.ts';
import { betweenSteps, type ReadWhole, readWhole, reportDropped, speakTo, type TranslationFacts } from './translate.ts';
import { type AsSent, asSent } from './sent-limit.ts';
import { tryCandidates, type TryDependencies } from './try-candidates.ts';
import type { Work, Workload } from './workload.ts';

export interface RelayDependencies {
  catalogue: LiveCatalogue;
  router: Router;
  limiter: RateLimiter;
  ledger: Ledger;
  checkpoints: Checkpoints;
  client: UpstreamClient;
  clock: Clock;
  metrics: RequestMetrics;
  /** Calls under way: cancelled when the process can wait no longer. */
  live: IndexedSet<Cancellation>;
  workload: Workload;
  /** Who made what upstreams keep. */
  objects: UpstreamObjects;
}

/** A hold outlives the longest call by this much before anybody may end it. */
const HOLD_MARGIN_SECONDS = 300;

/** Answers the call. Throws what the caller is answered instead, as long as nothing was sent. */
export async function relayRequest(dependencies: RelayDependencies, call: RelayCall): Promise<void> {
  const { requestId, endpoint, principal, startedAt } = call;
  const createdAt = dependencies.clock.now();
  const facts: OutcomeFacts = { requestId, endpoint, principal, startedAt, createdAt, model: null, attempts: [] };
  let mayHold = false;
  let request: RelayRequest | undefined;
  let admitted: Awaited<ReturnType<typeof admit>> | undefined;
  let slot: Work | undefined;
  let work: RelayWork | undefined;
  try {
    const read = call.read();
    request = read instanceof Promise ? await read : read;
    slot = dependencies.workload.begin();
    facts.model = request.model;
    const { protocol, strict } = call;
    admitted = await admit(dependencies, call, { protocol, request, strict });
    const { catalogue, route } = admitted;
    request = admitted.request;
    const agreed = call.agreed === undefined ? undefined : readAgreed(call.agreed);
    const model = modelAt(admitted.model, agreed);
    const billing = { model, group: principal.group, protocol, isBatch: call.isBatch, agreed };
    const bill = new Bill(catalogue, { ...billing, request });
    mayHold = true;
    const lifetime = HOLD_MARGIN_SECONDS + route.longestSeconds;
    const held = await holdMoney({ ledger: dependencies.ledger, catalogue, call, billing, request, bill, lifetime });
    request = held.request;
    slot.held();
    const cancellation = new Cancellation();
    dependencies.live.add(cancellation);
    call.reply.onGone(() => cancellation.cancel(new UpstreamError('aborted', 'the client left')));
    try {
      const whole = !request.stream && protocol.answers === 'whole';
      const defaultMaxOutput = model.maxOutputTokens ?? DEFAULT_MAX_OUTPUT;
      const money = { request, bill: held.bill, grant: admitted.grant };
      const sending = { route, cancellation, asSent: undefined };
      work = { dependencies, call, facts, slot, ...money, ...sending, createdAt, defaultMaxOutput };
      await (whole ? relayWhole : relayStream)(work);
    } finally {
      dependencies.live.delete(cancellation);
      cancellation.clear();
      route.finish();
    }
  } catch (error) {
    const failure = error instanceof GatewayError ? error : new GatewayError('internal_error', { cause: error });
    // A hold whose outcome is unknown is released too: if it was never made, that changes nothing.
    const isHeld = mayHold && failure.code !== 'insufficient_quota';
    if (work !== undefined && isLeftAfterSent(work, failure)) await within(ANSWER_WAIT_MS, chargeLeft(work, failure));
    else await endUncharged(dependencies, call, { facts, failure, held: isHeld ? request : undefined });
    // An answer that has begun keeps its status; it ends with an error, or is broken off.
    if (call.reply.begun) {
      call.reply.forgo();
      endBroken(call, request, failure);
    }
    throw failure;
  } finally {
    slot?.end();
    admitted?.grant?.end();
  }
}

async function endUncharged(
  dependencies: RelayDependencies,
  call: RelayCall,
  { facts, failure, held }: { facts: OutcomeFacts; failure: GatewayError; held: RelayRequest | undefined },
): Promise<void> {
  const row = failedRow(facts, failure);
  if (held !== undefined) return releaseCall(dependencies, call, { row, request: held, answer: undefined });
  await within(ANSWER_WAIT_MS, dependencies.ledger.log(row));
  dependencies.metrics.ended(row);
}

/** The client left while an upstream was at work on its request, which cannot be taken back. */
function isLeftAfterSent({ cancellation, facts }: RelayWork, { code }: GatewayError): boolean {
  return code === 'client_gone' && cancellation.isSent && facts.attempts.at(-1)?.error === 'aborted';
}

/** Of an answer that had not begun nothing is known but what was asked (promise M-07). */
async function chargeLeft(work: RelayWork, { status, publicCode }: GatewayError): Promise<void> {
  const used = work.bill.left({ usage: undefined, output: 0, source: 'estimated', ...work.asSent });
  await settle(work, used, { status, errorCode: publicCode, firstByteMs: null });
}

interface RelayWork extends TranslationFacts {
  call: RelayCall;
  dependencies: RelayDependencies;
  facts: OutcomeFacts;
  slot: Work;
  grant: RateGrant | undefined;
  bill: Bill;
  route: ReturnType<Router['route']>;
  cancellation: Cancellation;
  /** The limit and the tiers of the last attempt's request. */
  asSent: AsSent | undefined;
}

function triesOf({ route, cancellation, facts: { attempts, model, startedAt } }: RelayWork): TryDependencies {
  return { route, cancellation, attempts, model, since: startedAt };
}

async function relayWhole(work: RelayWork): Promise<void> {
  const { client } = work.dependencies;
  const whole = await tryCandidates(triesOf(work), async (candidate) => {
    const spoken = speakTo(candidate, work);
    const pause = betweenSteps(spoken, work);
    if (pause !== undefined) await pause;
    const { protocol, request } = spoken;
    work.asSent = asSent(work.request, spoken, candidate.channel.facts);
    const onWritten = (): void => reportDropped(work, request);
    const attempt = attemptWhole({ client, cancellation: work.cancellation, protocol, request, onWritten }, candidate);
    const whole = readWhole(spoken, await work.slot.away(attempt));
    onWritten(); // the answer may hold what the caller's protocol cannot carry
    return whole;
  });
  await finishWhole(work, whole);
}

async function finishWhole(work: RelayWork, { result, answer }: ReadWhole): Promise<void> {
  const { call, bill } = work;
  if (call.reply.begun) throw tooLate(); // as events, which can carry no such answer any more
  const firstByteMs = performance.now() - call.startedAt;
  const used = bill.used({ ...answer, ...reportBySize(answer.outputBytes), ...work.asSent });
  call.onAnswer?.(result);
  await settle(work, used, { status: result.status, errorCode: null, firstByteMs }, result.body);
  call.reply.sendWhole(result.status, { 'content-type': result.contentType || 'application/json' }, result.body);
}

async function relayStream(work: RelayWork): Promise<void> {
  const { dependencies, call, bill } = work;
  const { reply } = call;
  let marks: StreamCheckpoints | undefined;
  const keepAlive = work.request.stream ? new KeepAlive(reply, work.request.framing) : undefined;
  try {
    const stream = await tryCandidates(triesOf(work), async (candidate) => {
      keepAlive?.start();
      const onWhole = (): void => keepAlive?.stop();
      const spoken = speakTo(candidate, work);
      const pause = betweenSteps(spoken, work);
      if (pause !== undefined) await pause;
      const { protocol, request } = spoken;
      work.asSent = asSent(work.request, spoken, candidate.channel.facts);
      const onWritten = (): void => reportDropped(work, request);
      const { client } = dependencies;
      const attempt = { client, cancellation: work.cancellation, protocol, request, onWhole, onWritten };
      const opened = await work.slot.away(attemptStream(attempt, candidate));
      if (opened instanceof OpenStream) return opened;
      const whole = readWhole(spoken, opened);
      onWritten();
      return whole;
    });
    if (!(stream instanceof OpenStream)) return await finishWhole(work, stream);
    work.slot.end(); // from here on it goes at the pace of its upstream
    const firstByteMs = performance.now() - call.startedAt;
    marks = dependencies.checkpoints.follow(followedStream(work, stream.reader, firstByteMs));
    const failure = await deliverStream(stream, reply, { keepAlive, onSpoke: () => marks?.spoke() });
    dependencies.checkpoints.forget(marks);
    keepAlive?.stop();
    const error = failure === undefined ? undefined : streamError(failure);
    if (error !== undefined && failure !== undefined) noteFailure(work, failure);

    const { outputPieces } = stream.reader;
    const usage = error === undefined ? stream.reader.usage : atLeast(stream.reader.usage, outputPieces);
    const isLeft = error?.code === 'client_gone';
    if (error !== undefined && !isLeft && !bill.isDue(usage?.output ?? outputPieces)) throw error;
    const { images, isDoubtful, extras } = stream.reader;
    const reported = { usage, output: outputPieces, images, isDoubtful, extras };
    const made: UsageReport = { ...reported, source: 'counted', ...work.asSent };
    const used = isLeft ? bill.left(made) : bill.used(made);
    const status = isLeft ? error.status : 200;
    await settle(work, used, { status, errorCode: error?.code ?? null, firstByteMs });
    if (error === undefined) reply.end(stream.reader.last);
    else endBroken(work.call, work.request, error);
  } finally {
    keepAlive?.stop();
    dependencies.checkpoints.forget(marks);
  }
}

/** The charge is durable when this resolves. `answer`: the body of a whole one. */
async function settle(
  { dependencies, call, facts, bill, grant, request, route }: RelayWork,
  { usage, source }: Used,
  end: Pick<OutcomeEnd, 'status' | 'errorCode' | 'firstByteMs'>,
  answer?: Buffer,
): Promise<void> {
  const row = requestRow(facts, { ...end, usage, usageSource: source, charge: bill.charge(usage) });
  grant?.used(usage);
  const asked = route.current;
  const isCharged = await settleCall(dependencies, call, { row, request, answer });
  if (isCharged && asked !== undefined) noteCharge(dependencies, asked, row.charge);
}

function noteCharge({ router }: RelayDependencies, { channel, key }: Candidate, amount: bigint): void {
  router.charged({ channelId: channel.facts.id, keyId: key.id }, amount);
}

function noteFailure({ facts, route }: RelayWork, failure: UpstreamError): void {
  const known = failureFacts(failure, route.current);
  route.fail(failure.errorClass, undefined, known);
  const last = facts.attempts.at(-1);
  if (last !== undefined) Object.assign(last, { error: failure.errorClass, ...attemptWords(failure, known.message) });
}
