// What a batch is to be: its lines with what each may cost, or what is wrong with them.
import type { LineRow } from '../../store/queries/batch-lines.ts';

export interface PlannedLine {
  customId: string;
  /** Where its body lies in the input. */
  start: number;
  end: number;
  estimate: bigint;
  price: string;
}

export interface LineProblem {
  code: string;
  message: string;
  param?: string | undefined;
  /** From 1; undefined where it is about the whole input. */
  line?: number | undefined;
}

export interface BatchPlan {
  lines: PlannedLine[];
  problems: LineProblem[];
}

/** As the vendors have it. */
export const MOST_LINES = 50_000;
const LONGEST_CUSTOM_ID = 256;

/** It is part of the id of a request, which is shown and searched for. */
export function customIdProblem(customId: unknown): string | undefined {
  if (typeof customId !== 'string' || customId === '') return "'custom_id' is required.";
  if (customId.length > LONGEST_CUSTOM_ID || /[\p{Cc}\p{Cs}]/u.test(customId) || customId.trim() !== customId)
    return `'custom_id' must have at most ${LONGEST_CUSTOM_ID} characters, none of them a control character.`;
  return undefined;
}

/** A hold is known by this, and a charge: `<batch id>/<custom_id>`. */
export function requestIdOf(batchId: string, customId: string): string {
  return `${batchId}/${customId}`;
}

export function newLine(batchId: string, position: number, line: PlannedLine, now: number): LineRow {
  return {
    batch_id: batchId,
    position,
    custom_id: line.customId,
    state: 'waiting',
    outcome: null,
    body_start: line.start,
    body_end: line.end,
    estimate: line.estimate,
    attempt: 0,
    tries: 0,
    answer: null,
    usage: null,
    owner: null,
    lease_until: null,
    due_at: now,
  };
}
