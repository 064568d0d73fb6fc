// Long streams whose gateway dies in their middle (FT-02 "after first byte", promise M-06): each is charged by its last
// checkpoint, which is never more than two seconds behind.
import assert from 'node:assert/strict';
import { pause } from '../../support/wait.ts';
import { NANO_PER_TOKEN } from '../operator.ts';
import { type Books, settlesOf } from '../reconcile.ts';
import type { Rig } from '../rig/rig.ts';
import { followStream, type TimedStream } from '../rig/clients/timed-stream.ts';

/** At a reader's pace and faster, a token in each piece. */
const SLOW = { pieces: 2_000, paceMs: 30 };
const FAST = { pieces: 20_000, paceMs: 2 };
/** Two seconds, and what the way to the disk may take on a busy machine. */
const BEHIND_MS = 3_000;
/** Counted and sent, and died on the way. */
const MOST_UNDER_WAY = 500;

export interface CutStreams {
  streams: TimedStream[];
  /** performance.now() when the gateway was seen dead. */
  cutAt: number;
}

/** Streams that are under way when `until` resolves, which is when their gateway has died. */
export async function cutStreams(rig: Rig, until: () => Promise<void>): Promise<CutStreams> {
  const opened = await Promise.all([SLOW, SLOW, SLOW, SLOW, FAST, FAST].map((script) => followStream(rig, script)));
  await until();
  const cutAt = performance.now();
  await pause(100); // what the system had already taken for them
  return { streams: opened.filter((stream) => stream !== undefined), cutAt };
}

/** How many had a checkpoint to be judged by, and the most tokens that one of them got and was not charged for. */
export function checkCutStreams(books: Books, cuts: readonly CutStreams[]): { judged: number; behind: number } {
  let [judged, behind] = [0, 0];
  for (const { streams, cutAt } of cuts)
    for (const { requestId, maxTokens, times } of streams) {
      const [amount = 0n, ...more] = settlesOf(books, requestId);
      assert.equal(more.length, 0, `${requestId} is charged twice`);
      const charged = Number(amount / NANO_PER_TOKEN.output);
      const came = times.length;
      const early = times.filter((at) => at < cutAt - BEHIND_MS).length - 1; // the first is not counted
      assert.ok(charged >= early, `${charged} charged, ${early} had come ${BEHIND_MS} ms before the crash`);
      assert.ok(charged <= maxTokens && charged <= came + MOST_UNDER_WAY, `${charged} charged, ${came} had come`);
      behind = Math.max(behind, came - charged);
      if (early > 0) judged++;
    }
  return { judged, behind };
}
