// One attempt at one line: through the same relay as a live request, with a ledger that writes the answer before the charge.
import { GatewayError } from '../../errors/gateway-error.ts';
import { readBlob } from '../../files/blob-store.ts';
import { unixSeconds } from '../../shared/clock.ts';
import type { RequestRow } from '../../store/ledger/operations.ts';
import { changeLine, type LineRow, saveAnswer } from '../../store/queries/batch-lines.ts';
import type { BatchRow } from '../../store/queries/batches.ts';
import type { BatchParts } from '../batch-parts.ts';
import { requestIdOf } from '../create/batch-plan.ts';
import { judgeFailure } from './judge-failure.ts';
import { LineLedger } from './line-ledger.ts';
import type { LinePrincipals } from './line-principal.ts';
import { LineReply } from './line-reply.ts';
import { recoverLine } from './recover-line.ts';
import { writeFailure, writeSuccess } from './write-answer.ts';

export interface RunParts extends BatchParts {
  principals: LinePrincipals;
  /** No line of the batch is to begin here for so long. */
  pause(batchId: string, ms: number): void;
}

/** Another process has the line by now. */
class Superseded extends Error {}

/** Rejects when the store fails: then the line stays as it is until its lease ends. */
export async function runLine(parts: RunParts, batch: BatchRow, line: LineRow): Promise<void> {
  if (line.attempt > 1 && (await takeUp(parts, line))) return;
  const requestId = requestIdOf(batch.id, line.custom_id);
  const named = { customId: line.custom_id, requestId };
  let answer: { status: number; body: Buffer } | undefined;
  const ledger = new LineLedger(parts.ledgerParts, async (row) => {
    if (answer === undefined)
      throw new GatewayError('internal_error', { cause: new Error('a line without an answer') });
    const written = writeSuccess(batch.style, named, answer);
    const { batch_id, position, attempt } = line;
    const saved = { batch_id, position, attempt, line: written, usage: row.usage, charge: row.charge };
    if (!(await saveAnswer(parts.store, saved))) throw new Superseded();
  });
  try {
    await parts.runLine({
      endpoint: batch.endpoint,
      requestId,
      principal: await parts.principals.find(batch.token_id),
      headers: JSON.parse(batch.headers) as Record<string, string>,
      body: await bodyOf(parts, batch, line),
      reply: new LineReply(),
      ledger,
      onAnswer: (given) => void (answer = given),
    });
  } catch (error) {
    if (ledger.settled === undefined) return fail(parts, { batch, line, error, row: ledger.failed });
  }
  if (ledger.settled === undefined) throw new Error(`the line ${requestId} ended without a charge`);
  // What another attempt was charged for counts, should there have been one.
  if (line.attempt > 1 && (await takeUp(parts, line))) return;
  await end(parts, line, { outcome: 'succeeded', answer: line.attempt, usage: ledger.settled.usage });
}

/** True when an earlier attempt has ended the line. */
async function takeUp(parts: RunParts, line: LineRow): Promise<boolean> {
  const found = await recoverLine(parts.store.reads, line);
  if (found.kind === 'open') return false;
  const { answer } = found;
  const outcome = found.kind === 'settled' ? 'succeeded' : answer === undefined ? 'cancelled' : 'errored';
  await end(parts, line, { outcome, answer: answer?.attempt ?? null, usage: answer?.usage ?? null });
  return true;
}

async function end(
  { store }: RunParts,
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

async function fail(parts: RunParts, { batch, line, error, row }: FailedLine): Promise<void> {
  const cause = error instanceof GatewayError ? error.cause : error;
  if (error instanceof Superseded || cause instanceof Superseded) return;
  const failure = error instanceof GatewayError ? error : new GatewayError('internal_error', { cause: error });
  const judged = judgeFailure(failure, line);
  if (judged.kind === 'again') {
    const { afterMs, counts, pauses } = judged;
    if (pauses) parts.pause(batch.id, afterMs);
    const due_at = parts.clock.now() + afterMs;
    const tries = line.tries + (counts ? 1 : 0);
    await changeLine(parts.store, line, { state: 'waiting', owner: null, lease_until: null, due_at, tries });
    return;
  }
  const { batch_id, position, attempt, custom_id } = line;
  const requestId = requestIdOf(batch_id, custom_id);
  const written = writeFailure(batch.style, { customId: custom_id, requestId }, failure);
  if (!(await saveAnswer(parts.store, { batch_id, position, attempt, line: written, usage: null, charge: 0n }))) return;
  await parts.store.commit({
    kind: 'end',
    holdId: requestId,
    charge: null,
    usageSource: null,
    at: unixSeconds(parts.clock),
    note: failure.publicCode.slice(0, 100),
    request: row ?? null,
  });
  await end(parts, line, { outcome: 'errored', answer: attempt, usage: null });
}

async function bodyOf({ files }: RunParts, batch: BatchRow, line: LineRow): Promise<Buffer> {
  const body = await readBlob(files.blobs, batch.input_blob, { start: line.body_start, end: line.body_end - 1 });
  if (body?.length === line.body_end - line.body_start) return body;
  // Another node may have it: nodes share the data folder or a bucket.
  throw new GatewayError('overloaded', { message: 'The input of the batch cannot be read here.', retryAfter: 30 });
}
