// What became of earlier attempts at a line whose process is gone. Its answer was written before its charge, and its hold says
// whether it was charged: so a line is charged once, and the answer that counts is the one that was charged.
import { type AnswerRow, answersOf, type LineRow, settledAmount } from '../../store/queries/batch-lines.ts';
import { isHoldOpen } from '../../store/queries/open-holds.ts';
import type { Reads } from '../../store/store.ts';
import { requestIdOf } from '../create/batch-plan.ts';

export type Recovered =
  /** Its money is still held: it may run. */
  | { kind: 'open' }
  /** It was charged. */
  | { kind: 'settled'; answer: AnswerRow | undefined }
  /** It was given up; with an answer when it failed for good. */
  | { kind: 'released'; answer: AnswerRow | undefined };

export async function recoverLine(reads: Reads, line: LineRow): Promise<Recovered> {
  const holdId = requestIdOf(line.batch_id, line.custom_id);
  if (await isHoldOpen(reads, holdId)) return { kind: 'open' };
  const amount = await settledAmount(reads, holdId);
  const answers = await answersOf(reads, line);
  if (amount === undefined) return { kind: 'released', answer: answers[0] };
  return { kind: 'settled', answer: answers.find(({ charge }) => charge === amount) ?? answers[0] };
}
