// The order of the request log: by the time that its ids begin with. Those of batch lines begin with the id of their batch, so
// each kind of id is a range of its own, in which the order of the key is the order of time.
import { firstIdAt } from '../../shared/ids.ts';
import { orderedIdsOfTimes, type TimeRange } from './times-as-ids.ts';

/** Every id that is not a batch line's counts as a request's. */
export const ID_KINDS = ['req', 'batch', 'msgbatch'] as const;
export type IdKind = (typeof ID_KINDS)[number];

export interface IdRange {
  /** Inside the range. */
  least?: string | undefined;
  /** Not inside. */
  below?: string | undefined;
}

/** A line runs within a day of the submit, which its id tells. */
const BATCH_DAY_SECONDS = 86_400;
const CODE_AFTER_UNDERSCORE = '`';

interface WholeRange {
  least: string;
  below: string;
}

const BATCH_LINES = { batch: wholeRange('batch'), msgbatch: wholeRange('msgbatch') };
/** Where the lines of batches lie. */
export const BATCH_RANGES: readonly WholeRange[] = Object.values(BATCH_LINES);

function wholeRange(kind: string): WholeRange {
  return { least: `${kind}_`, below: `${kind}${CODE_AFTER_UNDERSCORE}` };
}

/** Requests have no range of their own: they are what BATCH_RANGES leave. */
export function rangeOfKind(kind: IdKind): IdRange {
  return kind === 'req' ? {} : BATCH_LINES[kind];
}

/** No line of the time has an id outside of this range; some that are inside may have another time. */
export function rangeOfTimes(kind: IdKind, { from, to }: TimeRange): IdRange {
  const earlier = kind === 'req' ? 0 : BATCH_DAY_SECONDS;
  const { first, last } = orderedIdsOfTimes(kind, { from: from === undefined ? undefined : from - earlier, to });
  return { least: first, below: last };
}

/** The ids of a kind whose lines were all written before a moment (ms). */
export function rangeBefore(kind: IdKind, moment: number): WholeRange {
  if (kind === 'req') return { least: BATCH_LINES.msgbatch.below, below: firstIdAt(kind, moment) };
  return { least: BATCH_LINES[kind].least, below: firstIdAt(kind, moment - BATCH_DAY_SECONDS * 1000) };
}

/** The batch lines that a moment (ms) does not make old. */
export function youngBatchLines(moment: number): WholeRange[] {
  return (['batch', 'msgbatch'] as const).map((kind) => ({
    least: rangeBefore(kind, moment).below,
    below: BATCH_LINES[kind].below,
  }));
}

/** The ids of a kind that come behind another id, which may be of another kind. */
export function rangeBehind(kind: IdKind, after: string | undefined): IdRange {
  if (after === undefined || kindOf(after) === kind) return { below: after };
  return { below: `${kind}_${timeOf(after)}` };
}

/** Sorts the newest first, as the key of the table sorts ids of one kind. */
export function compareNewestFirst(a: { id: string }, b: { id: string }): number {
  const [one, other] = kindOf(a.id) === kindOf(b.id) ? [a.id, b.id] : [timeOf(a.id), timeOf(b.id)];
  return Buffer.compare(Buffer.from(other), Buffer.from(one));
}

function kindOf(id: string): IdKind {
  return ID_KINDS.find((kind) => kind !== 'req' && id.startsWith(`${kind}_`)) ?? 'req';
}

function timeOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}
