// Clients that leave in the middle of their streams (FT-16): the upstream hears of it within a second, and the charge is what
// it had sent by then, within one chunk (promises M-07, S-08).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LoggedRequest } from '#contract/requests.ts';
import { chat } from '../support/chat.ts';
import { waitUntil } from '../support/wait.ts';
import { makeWorld, suiteGateway, type World } from '../support/world.ts';
import { makeRandom } from './random.ts';

const STREAMS = 200;
const AT_ONCE = 20;
const EVENTS = 12;

/** Reads some events, then hangs up; the id of the request and when it left. */
async function leaveAfter(world: World, name: string, events: number): Promise<{ requestId: string; left: number }> {
  const leaving = new AbortController();
  const text = `${name} go on [[long 400]] [[pace 25]]`;
  const response = await chat(world, text, { stream: true }, { signal: leaving.signal });
  const requestId = response.headers.get('x-request-id') ?? '';
  let seen = 0;
  try {
    for await (const chunk of response.body ?? []) {
      seen += Buffer.from(chunk).toString().split('\n\n').length - 1;
      if (seen >= events) break;
    }
  } finally {
    leaving.abort();
  }
  return { requestId, left: Date.now() };
}

describe('clients that leave', async () => {
  const gateway = await suiteGateway();

  test(`${STREAMS} streams left at a random event cost what the upstream had sent`, async (t) => {
    const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
    t.diagnostic(`FAULT_SEED=${seed}`);
    const random = makeRandom(seed);
    const world = await makeWorld(gateway, t);
    let next = 0;
    let most = 0;
    const heardAfter: number[] = [];
    const client = async (): Promise<void> => {
      for (let index = next++; index < STREAMS; index = next++) {
        const name = `stream-${index}-`;
        const { requestId, left } = await leaveAfter(world, name, random.whole(2, EVENTS));
        const record = world.calls().find(({ rawBody }) => rawBody.includes(name));
        assert.ok(record !== undefined);
        await waitUntil(() => record.aborted, `${name} was not ended at the upstream`);
        heardAfter.push((record.abortedAt ?? Infinity) - left);
        let logged: LoggedRequest | undefined;
        await waitUntil(async () => {
          logged = await gateway.operator<LoggedRequest>('GET', `/requests/${requestId}`).catch(() => undefined);
          return logged !== undefined;
        }, `${name} is not in the log`);
        assert.deepEqual([logged?.status, logged?.usage_source], [499, 'counted']);
        const charged = Number(logged?.usage?.['output_tokens']);
        const behind = record.eventsSent - 1 - charged; // the first event names the role only
        assert.ok(Math.abs(behind) <= 1, `${name}: ${charged} charged, ${record.eventsSent - 1} sent`);
        most = Math.max(most, Math.abs(behind));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, client));
    // Half of them, since a machine may stop for longer than that; `npm run faults` judges every one (FT-16).
    const median = heardAfter.sort((one, other) => one - other)[STREAMS / 2] ?? Infinity;
    assert.ok(median <= 1_000, `half of the upstreams heard of it after ${median} ms`);
    t.diagnostic(
      `${STREAMS} streams; upstreams heard of it after ${median} ms (median); at most ${most} chunk between charge and upstream`,
    );
  });
});
