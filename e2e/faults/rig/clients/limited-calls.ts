// Calls of a token that may not do as much as it likes, and how many of them were let in.
import assert from 'node:assert/strict';
import { pause } from '../../../support/wait.ts';
import type { JournalEntry } from '../../chat-client.ts';
import { TOKENS_MODEL, untilOffered } from '../../operator.ts';
import type { Rig } from '../rig.ts';

const WINDOW_MS = 60_000;

export async function addLimited(rig: Rig, rate: object): Promise<string> {
  const { key } = await rig.operator.addToken(rig.accountId, null, { rate });
  for (const { address } of rig.gateways) await untilOffered(address, key, TOKENS_MODEL);
  return key;
}

/** How many were let in; each refusal says when to try again. */
export function countAdmitted(entries: readonly JournalEntry[]): number {
  for (const { status, failure, retryAfter } of entries) {
    assert.ok(status === 200 || status === 429, `a call ended with ${failure ?? status}`);
    assert.ok(status === 200 || (retryAfter ?? 0) > 0, 'refused without a Retry-After');
  }
  return entries.filter(({ status }) => status === 200).length;
}

/** One client for each of these gateways; gives the moments at which somebody was let in, or not. */
export function callOnAndOn(
  rig: Rig,
  key: string,
  gateways: readonly number[],
): { admitted: number[]; refused: number[]; end(): Promise<void> } {
  const admitted: number[] = [];
  const refused: number[] = [];
  const over = new AbortController();
  const clients = gateways.map(async (gateway) => {
    while (!over.signal.aborted) {
      const { status } = await rig.call({ key, gateway });
      if (status === 200) admitted.push(performance.now());
      if (status === 429) refused.push(performance.now());
      await pause(status === 200 ? 0 : 150);
    }
  });
  return {
    admitted,
    refused,
    async end() {
      over.abort();
      await Promise.all(clients);
    },
  };
}

export const mostInAnyMinute = (times: readonly number[]): number =>
  Math.max(0, ...times.map((from) => times.filter((time) => time >= from && time < from + WINDOW_MS).length));
