// One attempt at one line: through the same relay as a live request, with a ledger that writes the answer before the charge.
import { GatewayError } from '../../errors/gateway-error.ts';
import { readBlob } from '../../files/blob-store.ts';
import { unixSeconds } from '../../shared/clock.ts';
import type { RequestRow } from '../../store/ledger/operations.ts';
import { changeLine, type LineRow, saveAnswer } from '../../store/queries/batch-lines.ts';
import { agreedHold } from '../../store/queries/open-holds.ts';
import type { BatchRow } from '../../store/queries/batches.ts';
import type { BatchDependencies } from '../batch-dependencies.ts';
import { requestIdOf } from '../create/batch-plan.ts';
import { judgeFailure } from './judge-failure.ts';
import { LineLedger } from './line-ledger.ts';
import type { LinePrincipals } from './line-principal.ts';
import { recoverLine } from './recover-line.ts';
import { writeFailure, writeSuccess } from './write-answer.ts';
import type { BodyReply } from '../../relay/call.ts';

export interface RunDependencies extends BatchDependencies {
  principals: LinePrincipals;
  /** No line of the batch is to begin here for so long. */
  pause(batchId: string, ms: number): void;
}

/** Another process has the line by now. */
class Superseded extends Error {}

/** Rejects when the store fails: then the line stays as it is until its lease ends. */
export async function runLine(dependencies: RunDependencies, batch: BatchRow, line: LineRow): Promise<void> {
  if (line.attempt > 1 && (await takeUp(dependencies, line))) return;
  const requestId = requestIdOf(batch.id, line.custom_id);
  const named = { customId: line.custom_id, requestId };
  let answer: { status: number; body: Buffer } | undefined;
  const ledger = new LineLedger(dependencies.ledgerDependencies, async (row) => {
    if (answer === undefined)
      throw new GatewayError('internal_error', { cause: new Error('a line without an answer') });
    const written = writeSuccess(batch.style, named, answer);
    const { batch_id, position, attempt } = line;
    const saved = { batch_id, position, attempt, line: written, usage: row.usage, charge: row.charge };
    if (!(await saveAnswer(dependencies.store, saved))) throw new Superseded();
  });
  try {
    const hold = await agreedHold(dependencies.store.reads, requestId);
    ledger.held = hold?.amount;
    await dependencies.runLine({
      endpoint: batch.endpoint,
      requestId,
      principal: await dependencies.principals.find(batch.token_id),
      headers: JSON.parse(batch.headers) as Record<string, string>,
      bodyBytes: line.body_end - line.body_start,
      readBody: () => bodyOf(dependencies, batch, line),
      reply: new LineReply(),
      ledger,
      agreed: hold?.price,
      onAnswer: (given) => void (answer = given),
    });
  } catch (error) {
    if (ledger.settled === undefined) return fail(dependencies, { batch, line, error, row: ledger.failed });
  }
  if (ledger.settled === undefined) throw new Error(`the line ${requestId} ended without a charge`);
  // What another attempt was charged for counts, should there have been one.
  if (line.attempt > 1 && (await takeUp(dependencies, line))) return;
  await end(dependencies, line, { outcome: 'succeeded', answer: line.attempt, usage: ledger.settled.usage });
}

/** True when an earlier attempt has ended the line. */
async function takeUp(dependencies: RunDependencies, line: LineRow): Promise<boolean> {
  const found = await recoverLine(dependencies.store.reads, line);
  if (found.kind === 'open') return false;
  const { answer } = found;
  const outcome = found.kind === 'settled' ? 'succeeded' : answer === undefined ? 'cancelled' : 'errored';
  await end(dependencies, line, { outcome, answer: answer?.attempt ?? null, usage: answer?.usage ?? null });
  return true;
}

async function end(
  { store }: RunDependencies,
  line: LineRow,
  changes: Pick<LineRow, 'outcome' | 'answer' | 'usage'>,
): Promise<void> {
  await changeLine(store, line, { ...changes, state: 'done', owner: null, lease_until: null });
}

interface FailedLine {
  batch: BatchRow;
  line: LineRow;
  error: unknown;
  /** For the request log; undefined where the relay was not reached. */
  row: RequestRow | undefined;
}

async function fail(dependencies: RunDependencies, { batch, line, error, row }: FailedLine): Promise<void> {
  const cause = error instanceof GatewayError ? error.cause : error;
  if (error instanceof Superseded || cause instanceof Superseded) return;
  const failure = error instanceof GatewayError ? error : new GatewayError('internal_error', { cause: error });
  const judged = judgeFailure(failure, line);
  if (judged.kind === 'again') {
    const { afterMs, counts, pauses } = judged;
    if (pauses) dependencies.pause(batch.id, afterMs);
    const due_at = dependencies.clock.now() + afterMs;
    const tries = line.tries + (counts ? 1 : 0);
    await changeLine(dependencies.store, line, { state: 'waiting', owner: null, lease_until: null, due_at, tries });
    return;
  }
  const { batch_id, position, attempt, custom_id } = line;
  const requestId = requestIdOf(batch_id, custom_id);
  const written = writeFailure(batch.style, { customId: custom_id, requestId }, failure);
  if (!(await saveAnswer(dependencies.store, { batch_id, position, attempt, line: written, usage: null, charge: 0n })))
    return;
  await dependencies.store.commit({
    kind: 'end',
    holdId: requestId,
    charge: null,
    usageSource: null,
    at: unixSeconds(dependencies.clock),
    note: failure.publicCode.slice(0, 100),
    request: row ?? null,
  });
  await end(dependencies, line, { outcome: 'errored', answer: attempt, usage: null });
}

async function bodyOf({ files }: RunDependencies, batch: BatchRow, line: LineRow): Promise<Buffer> {
  const body = await readBlob(files.blobs, batch.input_blob, { start: line.body_start, end: line.body_end - 1 });
  if (body?.length === line.body_end - line.body_start) return body;
  // Another node may have it: nodes share the data folder or a bucket.
  throw new GatewayError('overloaded', { message: 'The input of the batch cannot be read here.', retryAfter: 30 });
}

/** The client's side of a line: nobody waits for it, and it never leaves. The answer is taken before it is charged. */
class LineReply implements BodyReply {
  readonly begun = false;
  readonly gone = false;

  setHeader(): void {}
  sendWhole(): void {}
  beginStream(): void {}
  beginBody(): void {}
  write(): boolean {
    return true;
  }
  onDrain(listener: () => void): void {
    listener();
  }
  end(): void {}
  forgo(): void {}
  breakOff(): void {}
  onGone(): void {}
}
