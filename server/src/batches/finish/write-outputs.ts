// The files of a batch whose lines are all done: answers in one, failures in another, or all results in one. They are read
// from the store twice, once for their length, so that nothing has to lie in memory; a second try makes the same files.
import type { BlobSource } from '../../files/blob-store.ts';
import { type DoneLine, doneLines } from '../../store/queries/batch-lines.ts';
import type { BatchRow } from '../../store/queries/batches.ts';
import { putFile } from '../../store/queries/files.ts';
import { unixSeconds } from '../../shared/clock.ts';
import type { BatchDependencies } from '../batch-dependencies.ts';
import { writeUnrun } from '../lines/write-answer.ts';

export interface Outputs {
  succeeded: number;
  errored: number;
  cancelled: number;
  expired: number;
  usage: string;
  /** undefined where there is no such file. */
  outputFileId: string | null;
  errorFileId: string | null;
}

const PAGE = 200;
const NEW_LINE = Buffer.from('\n');

type Kind = 'output' | 'error' | 'all';
type OutputDependencies = Pick<BatchDependencies, 'store' | 'files' | 'clock'>;

export async function writeOutputs(dependencies: OutputDependencies, batch: BatchRow): Promise<Outputs> {
  const counts = { succeeded: 0, errored: 0, cancelled: 0, expired: 0 };
  const lengths: Record<Kind, number> = { output: 0, error: 0, all: 0 };
  const usage = new BatchUsage();
  for await (const line of linesOf(dependencies, batch)) {
    const length = textOf(batch, line).length + NEW_LINE.length;
    lengths.all += length;
    lengths[kindOf(line)] += length;
    counts[line.outcome ?? 'errored']++;
    usage.add(line.usage);
  }
  const sourceOf = (kind: Kind): BlobSource => ({ length: lengths[kind], open: () => read(dependencies, batch, kind) });
  let [outputFileId, errorFileId] = [batch.output_file_id, batch.error_file_id];
  if (batch.style === 'anthropic') {
    await dependencies.files.blobs.put(batch.id, sourceOf('all'));
    [outputFileId, errorFileId] = [null, null];
  } else {
    if (lengths.output === 0) outputFileId = null;
    if (lengths.error === 0) errorFileId = null;
    if (outputFileId !== null)
      await keep(dependencies, batch, { id: outputFileId, kind: 'output', source: sourceOf('output') });
    if (errorFileId !== null)
      await keep(dependencies, batch, { id: errorFileId, kind: 'error', source: sourceOf('error') });
  }
  return { ...counts, usage: usage.text, outputFileId, errorFileId };
}

/** Bytes first, then the row; it counts towards nothing, and a second try finds the row. */
async function keep(
  { store, files, clock }: OutputDependencies,
  batch: BatchRow,
  { id, kind, source }: { id: string; kind: 'output' | 'error'; source: BlobSource },
): Promise<void> {
  await files.blobs.put(id, source);
  const created_at = unixSeconds(clock);
  await putFile(store, {
    id,
    account_id: batch.account_id,
    token_id: batch.token_id,
    purpose: 'batch_output',
    filename: `${batch.id}_${kind}.jsonl`,
    content_type: 'application/jsonl',
    bytes: BigInt(source.length),
    created_at,
    expires_at: batch.output_seconds === null ? null : created_at + batch.output_seconds,
  });
}

async function* read(dependencies: OutputDependencies, batch: BatchRow, kind: Kind): AsyncGenerator<Buffer> {
  for await (const line of linesOf(dependencies, batch))
    if (kind === 'all' || kindOf(line) === kind) yield Buffer.concat([textOf(batch, line), NEW_LINE]);
}

async function* linesOf({ store }: OutputDependencies, { id }: BatchRow): AsyncGenerator<DoneLine> {
  for (let after = -1; ;) {
    const lines = await doneLines(store.reads, id, after, PAGE);
    yield* lines;
    const last = lines.at(-1);
    if (last === undefined) return;
    after = last.position;
  }
}

function kindOf({ outcome }: DoneLine): 'output' | 'error' {
  return outcome === 'succeeded' ? 'output' : 'error';
}

function textOf({ style }: BatchRow, { custom_id, outcome, line }: DoneLine): Buffer {
  if (line !== null) return Buffer.from(line);
  return writeUnrun(style, custom_id, outcome === 'expired' ? 'expired' : 'cancelled');
}

/** The usage of all lines of a batch together, as the vendor shows it. */
class BatchUsage {
  #input = 0;
  #cached = 0;
  #output = 0;
  #reasoning = 0;

  /** JSON as in the request log. */
  add(text: string | null): void {
    if (text === null) return;
    const usage = JSON.parse(text) as Record<string, number | undefined>;
    this.#input += usage['input_tokens'] ?? 0;
    this.#cached += usage['cached_input_tokens'] ?? 0;
    this.#output += usage['output_tokens'] ?? 0;
    this.#reasoning += usage['reasoning_tokens'] ?? 0;
  }

  get text(): string {
    return JSON.stringify({
      input_tokens: this.#input,
      input_tokens_details: { cached_tokens: this.#cached },
      output_tokens: this.#output,
      output_tokens_details: { reasoning_tokens: this.#reasoning },
      total_tokens: this.#input + this.#output,
    });
  }
}
