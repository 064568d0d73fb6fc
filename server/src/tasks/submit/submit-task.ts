// The way of a submit: read -> may it? -> plan -> row and hold durable -> provider called -> its id durable -> answer. It is
// sent to another channel only when the one before surely did not take it; after a lost answer it is never sent again.
import type { RateGrant } from '../../access/rate-limit/rate-limiter.ts';
import type { Principal } from '../../access/principal.ts';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import type { VideoRequest } from '../../neutral/video.ts';
import { certainlyNotAccepted, UpstreamError } from '../../providers/upstream-error.ts';
import type { VideoPlan } from '../../providers/video-provider.ts';
import { admitVideo } from '../../relay/admit.ts';
import type { RelayCall } from '../../relay/call.ts';
import { attemptWords, failureFacts } from '../../relay/failure-facts.ts';
import { failedRow, NOTHING_USED, type OutcomeFacts, requestRow } from '../../relay/outcome.ts';
import { refusedError } from '../../relay/try-candidates.ts';
import { refuseDropped, reportDropped } from '../../relay/translate.ts';
import type { Route } from '../../routing/route.ts';
import { unixSeconds } from '../../shared/clock.ts';
import { storable } from '../../shared/plain-text.ts';
import { within } from '../../shared/wait.ts';
import { findTask, type TaskRow } from '../../store/queries/tasks.ts';
import { keepUpstreamId, NoTaskId, readUpstreamId } from './upstream-id.ts';
import { inlinePictures } from './inline-pictures.ts';
import { ruleOfKeptMedia } from './kept-media.ts';
import { createTask } from './new-task.ts';
import type { TaskDependencies } from '../dependencies.ts';
import { nextPollMs } from '../poll/poll-schedule.ts';
import { findLostTask } from '../poll/reconcile-task.ts';
import { callProvider, cancelUpstream, targetWith, type TaskTarget } from '../provider-call.ts';
import { failStored, moveTask } from '../settle-task.ts';
import { writeHandle } from '../task.ts';
import { holdFor } from '../task-bill.ts';
import { checkWebhookUrl } from '../webhooks/webhook-url.ts';

export interface SubmitCall {
  requestId: string;
  /** The public path, as the request log names it. */
  endpoint: string;
  principal: Principal;
  /** performance.now() when the request arrived. */
  startedAt: number;
  /** The caller would rather be refused than lose a field. */
  strict: boolean;
  /** Made by the same request in a process that died: it is answered as it is, and nothing is submitted. */
  madeTask?: string | undefined;
  reply: RelayCall['reply'];
  /** The channel key that it must go to, if one; to be set when the request has been read. */
  affinity?: NonNullable<RelayCall['affinity']>;
  read(): SubmitRead | Promise<SubmitRead>;
}

export interface SubmitRead {
  request: VideoRequest;
  /** As the caller wrote it. */
  webhookUrl: unknown;
}

/** A lease outlives the submit by this much before others may think it lost. */
const LEASE_MARGIN_SECONDS = 60;
/** How long a failure waits for its own books. */
const ANSWER_WAIT_MS = 1_000;
/** Errors that may come of a store that was away after the provider had answered. */
const MAYBE_OF_THE_STORE: ReadonlySet<string> = new Set(['internal_error', 'overloaded']);

/** Resolves with the task as it is in the store; throws the caller's error when there is none. */
export async function submitTask(dependencies: TaskDependencies, call: SubmitCall): Promise<TaskRow> {
  const made = call.madeTask === undefined ? undefined : await findTask(dependencies.store.reads, call.madeTask);
  if (made?.account_id === call.principal.accountId) return made;
  const facts: OutcomeFacts = { ...call, model: null, createdAt: dependencies.clock.now(), attempts: [] };
  let task: TaskRow | undefined;
  let grant: RateGrant | undefined;
  try {
    const { request, webhookUrl: wanted } = await call.read();
    facts.model = request.model;
    if (request.size !== undefined && request.size !== storable(request.size))
      throw invalidRequest("'size' must be a text of whole characters without NUL.", 'size');
    const { principal } = call;
    const admitted = await admitVideo(dependencies, call, request.model, (facts) =>
      ruleOfKeptMedia({ ...facts, principal, request }),
    );
    const { catalogue, model, route } = admitted;
    grant = admitted.grant;
    try {
      const first = nextTarget(route, request, call.strict);
      if (first === undefined) throw route.exhausted();
      const price = holdFor(catalogue, { model, group: call.principal.group, plan: first.plan });
      const webhookUrl = await checkWebhookUrl(dependencies, call.principal.accountId, wanted);
      const leaseSeconds = LEASE_MARGIN_SECONDS + route.longestSeconds * MOST_ATTEMPTS;
      task = await createTask(dependencies, {
        ...call,
        model: model.id,
        plan: first.plan,
        price,
        webhookUrl,
        leaseSeconds,
      });
      const work: SubmitWork = { dependencies, call, facts, route, request, task };
      return await sendToOne(work, first, () => (task = work.task));
    } finally {
      route.finish();
    }
  } catch (error) {
    const failure = error instanceof GatewayError ? error : new GatewayError('internal_error', { cause: error });
    await giveUp(dependencies, { facts, task, failure });
    throw failure;
  } finally {
    grant?.end();
  }
}

interface SubmitWork {
  dependencies: TaskDependencies;
  call: SubmitCall;
  facts: OutcomeFacts;
  route: Route;
  request: VideoRequest;
  task: TaskRow;
}

interface PlannedTarget {
  target: TaskTarget;
  plan: VideoPlan;
}

const NAMELESS = 'The model provider answered without an id of the task. Nothing was charged.';
/** Of looking for it in the provider's own list. */
const SEARCH_MS = 10_000;

/** One submit is not carried to more channels than this. */
const MOST_ATTEMPTS = 5;

function nextTarget(route: Route, request: VideoRequest, strict: boolean): PlannedTarget | undefined {
  for (let candidate = route.next(); candidate !== undefined; candidate = route.next()) {
    const target = targetWith(candidate);
    const upstreamModel = candidate.channel.facts.models.get(request.model);
    if (target !== undefined && upstreamModel !== undefined) {
      const plan = target.video.plan(request, upstreamModel);
      if (strict) refuseDropped(plan);
      return { target, plan };
    }
    route.fail('malformed', undefined);
    route.finish();
  }
  return undefined;
}

async function sendToOne(work: SubmitWork, first: PlannedTarget, onMoved: () => void): Promise<TaskRow> {
  let next: PlannedTarget | undefined = first;
  for (let attempt = 1; next !== undefined && attempt <= MOST_ATTEMPTS; attempt++) {
    await toSubmitting(work, next);
    onMoved();
    reportDropped(work, next.plan);
    const outcome = await attemptSubmit(work, await withBytes(work, next));
    if (outcome.kind === 'taken') return stored(work, outcome, next.target);
    if (outcome.kind === 'unknown') return storedUnknown(work);
    if (outcome.kind === 'nameless')
      throw new GatewayError('upstream_error', { message: NAMELESS, cause: outcome.error });
    if (!outcome.goOn) throw refusedError(outcome.error, next.target, work.request.model);
    next = nextTarget(work.route, work.request, work.call.strict);
  }
  throw work.route.exhausted();
}

/** Which channel and key are about to be asked is durable before they are. */
async function toSubmitting(work: SubmitWork, { target, plan }: PlannedTarget): Promise<void> {
  const { dependencies, task } = work;
  const changes: Partial<TaskRow> = {
    state: 'SUBMITTING',
    channel_id: target.channel.facts.id,
    key_id: target.key.id,
    upstream_model: target.channel.facts.models.get(task.model) ?? null,
    sent_at: unixSeconds(dependencies.clock),
    sent: JSON.stringify(plan.sent),
  };
  const { row, isMoved } = await moveTask(dependencies, task, { changes });
  if (!isMoved) throw new GatewayError('overloaded', { message: 'This task was given up.', retryAfter: 1 });
  work.task = row;
}

/** Fetched behind the hold: who has no money makes the gateway fetch nothing. */
async function withBytes({ dependencies, request }: SubmitWork, planned: PlannedTarget): Promise<PlannedTarget> {
  const { target, plan } = planned;
  const { video, channel } = target;
  if (video.wantsBytes !== true) return planned;
  const inlined = await inlinePictures(dependencies, request);
  const { body } = video.plan(inlined, channel.facts.models.get(request.model) ?? request.model);
  return { target, plan: { ...plan, body } };
}

interface Taken {
  upstreamId: string;
  handle: string | null;
}

type Outcome =
  | ({ kind: 'taken' } & Taken)
  | { kind: 'unknown' }
  /** Answered as taken, but without an id: nobody could ever ask about it. */
  | { kind: 'nameless'; error: UpstreamError }
  | { kind: 'refused'; error: UpstreamError; goOn: boolean };

async function attemptSubmit(work: SubmitWork, { target, plan }: PlannedTarget): Promise<Outcome> {
  const { dependencies, facts, route } = work;
  const { video, channel } = target;
  const startedAt = performance.now();
  const record = (status: number | null, error: string | null, words?: object): void => {
    const ms = Math.round(performance.now() - startedAt);
    const at = Math.round(startedAt - facts.startedAt);
    facts.attempts.push({ channel_id: channel.facts.id, status, error, ms, at, key_id: target.key.id, ...words });
  };
  try {
    const { totalMs } = channel.facts.options;
    const { status, body } = await callProvider(dependencies, target, { ...video.submit(plan), totalMs });
    const upstreamId = readUpstreamId(video, body, { status, refusals: target.provider.refusals });
    const handle = writeHandle(video, { upstreamId, sent: plan.sent, body });
    record(status, null);
    route.succeed();
    return { kind: 'taken', upstreamId, handle };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const known = failureFacts(error, target);
    record(error.facts.status ?? null, error.errorClass, attemptWords(error, known.message));
    const goOn = route.fail(error.errorClass, error.facts.retryAfter, known);
    route.finish();
    if (error instanceof NoTaskId) {
      const found = await findLostTask(dependencies, work.task, AbortSignal.timeout(SEARCH_MS)).catch(() => undefined);
      return typeof found === 'object' ? { kind: 'taken', ...found } : { kind: 'nameless', error };
    }
    return certainlyNotAccepted(error) ? { kind: 'refused', error, goOn } : { kind: 'unknown' };
  }
}

/** The provider's id is durable when this resolves, and with it the line in the request log. */
async function stored(work: SubmitWork, { upstreamId, handle }: Taken, target: TaskTarget): Promise<TaskRow> {
  const row = await leave(work, { state: 'SUBMITTED', upstream_id: upstreamId, handle });
  // Removed by its owner, or given up as lost: what the provider makes now is for nobody.
  if (row.completed_at !== null && row.upstream_id !== upstreamId)
    await cancelUpstream(work.dependencies, { upstream_id: upstreamId, handle }, target, 10_000);
  return row;
}

/** The answer was lost. The caller has a task all the same: it is found again, or fails at its deadline. */
function storedUnknown(work: SubmitWork): Promise<TaskRow> {
  return leave(work, { state: 'SUBMIT_UNKNOWN' });
}

/** Ends the submit and leaves the task to the poller. */
async function leave({ dependencies, facts, task }: SubmitWork, changes: Partial<TaskRow>): Promise<TaskRow> {
  const schedule = { baseMs: dependencies.pollMs, ageMs: 0, failures: 0, random: dependencies.random() };
  const next_poll_at = dependencies.clock.now() + nextPollMs(schedule);
  const free = { lease_owner: null, lease_until: null, next_poll_at };
  const request = requestRow(facts, {
    ...NOTHING_USED,
    status: 200,
    errorCode: null,
    firstByteMs: performance.now() - facts.startedAt,
  });
  const { row, isMoved, stored } = await moveTask(dependencies, task, { changes: { ...changes, ...free }, request });
  dependencies.metrics.ended(request);
  if (isMoved) return row;
  const { upstream_id: upstreamId, handle } = row;
  const kept =
    upstreamId === null ? stored : await keepUpstreamId(dependencies, stored, { upstreamId, handle, request });
  return kept ?? row;
}

/** Nothing was taken: no money is kept, and the row remains for operators only. */
async function giveUp(
  dependencies: TaskDependencies,
  { facts, task, failure }: { facts: OutcomeFacts; task: TaskRow | undefined; failure: GatewayError },
): Promise<void> {
  const request = failedRow(facts, failure);
  const wasNotTaken = !MAYBE_OF_THE_STORE.has(failure.code);
  const end = { reason: failure.message, code: failure.publicCode, isRemoved: true, wasNotTaken, request };
  const books =
    task === undefined ? dependencies.store.commit({ kind: 'log', request }) : failStored(dependencies, task, end);
  await within(ANSWER_WAIT_MS, books);
  dependencies.metrics.ended(request);
}
