// A provider that accepts and says nothing (FT-11), falls silent or drips in mid-stream (FT-12): bounded by the channel's
// time limits, what was made is charged, and other channels do not feel it.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { pause } from '../../support/wait.ts';
import { BOTH, type Fault } from '../command/fault.ts';
import { readBooks } from '../reconcile.ts';
import { outputCharged } from '../rig/records/four-sums.ts';
import { quantile } from '../rig/clients/quantile.ts';
import type { Rig } from '../rig/rig.ts';
import { StubProvider } from '../rig/providers/stub-provider.ts';

const FIRST_BYTE_MS = 1_500;
const IDLE_MS = 1_200;
const TOTAL_MS = 4_000;
/** What the machine may take beside the limit itself. */
const MARGIN_MS = 1_500;

async function quickCalls(rig: Rig, count: number, pieces: number): Promise<number> {
  const taken: number[] = [];
  for (let call = 0; call < count; call++) {
    const { status, milliseconds } = await rig.call({ pieces });
    assert.equal(status, 200, 'a call of the healthy channel');
    taken.push(milliseconds);
  }
  return quantile(taken, 0.99);
}

export const hangingHead: Fault = {
  id: 'FT-11',
  title: 'a provider accepts and never answers, beside a healthy one (B-01)',
  stores: BOTH,
  rounds: 12,
  async run(bench) {
    const rig = await bench.startRig({ options: { first_byte_ms: 120_000, total_ms: 120_000 } });
    const hanging = await StubProvider.start();
    bench.atEnd(() => hanging.stop());
    hanging.script = () => ({ answer: () => new Promise(() => {}) });
    await rig.operator.send('PUT', '/models/hanging', {
      price: { unit: 'tokens', input: '2.5', cached_input: '1.25', output: '10000' },
    });
    await rig.operator.send('POST', '/channels', {
      name: 'hanging',
      provider: 'openai',
      base_url: hanging.baseUrl,
      keys: ['k'],
      models: { hanging: 'sandbox-chat' },
      options: { first_byte_ms: FIRST_BYTE_MS, total_ms: TOTAL_MS },
    });
    await pause(1_500); // until every gateway has heard of it
    const before = await quickCalls(rig, 150, 3);
    const over = new AbortController();
    const waits: number[] = [];
    const stuck = Array.from({ length: bench.rounds }, async () => {
      while (!over.signal.aborted) {
        const entry = await rig.call({ model: 'hanging' });
        if (entry.status === 504) waits.push(entry.milliseconds);
        else
          assert.ok(
            entry.status === 502 || entry.status === 503,
            `a hanging call ended with ${entry.failure ?? entry.status}`,
          );
        await pause(100);
      }
    });
    const during = await quickCalls(rig, 300, 3);
    over.abort();
    await Promise.all(stuck);
    assert.ok(waits.length > 0, 'no call ran into its time limit');
    for (const wait of waits)
      assert.ok(wait >= FIRST_BYTE_MS - 50 && wait < TOTAL_MS + MARGIN_MS, `answered after ${wait} ms`);
    // Beyond what a busy machine adds by itself.
    assert.ok(during < before * 1.2 + 50, `the healthy channel's p99 went from ${before} to ${during} ms`);
    bench.note(
      `504 after ${Math.min(...waits)} to ${Math.max(...waits)} ms; healthy p99 ${before} ms before, ${during} ms during`,
    );
    return rig.reconcile();
  },
};

export const hangingStream: Fault = {
  id: 'FT-12',
  title: 'a stream falls silent, or drips one byte at a time',
  stores: BOTH,
  rounds: 6,
  async run(bench) {
    const rig = await bench.startRig({ options: { idle_ms: IDLE_MS, total_ms: TOTAL_MS } });
    const dripping = (maxMs: number) => ({
      stream: true,
      answer: async (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: {"choices":[{"index":0,"delta":{"content":"a "},"finish_reason":null}]}\n\n');
        for (let waited = 0; waited < maxMs && !response.destroyed; waited += 300) {
          response.write(':');
          await pause(300);
        }
      },
    });
    for (let round = 1; round <= bench.rounds; round++) {
      const pieces = bench.random.whole(2, 20);
      const [silent, drip] = await Promise.all([
        rig.call({ stream: true, pieces: pieces + 5, hangAfter: pieces }),
        rig.call(dripping(20_000)),
        rig.call({ stream: true, pieces: 3 }),
        rig.call({ stream: true, pieces: 4 }),
        rig.call({ stream: true, pieces: 5 }),
      ]);
      for (const [name, entry, limit] of [
        ['silent', silent, IDLE_MS],
        ['dripping', drip, TOTAL_MS],
      ] as const) {
        assert.deepEqual([entry.status, entry.complete], [200, false], `${name}: a false clean end`);
        assert.ok(entry.code !== undefined, `${name}: no error event`);
        const { milliseconds } = entry;
        assert.ok(
          milliseconds >= limit - 100 && milliseconds < limit + MARGIN_MS,
          `${name}: ended after ${milliseconds} ms`,
        );
      }
      const charged = outputCharged(await readBooks(rig.settings), silent.requestId ?? '');
      assert.ok(charged >= pieces - 1 && charged <= pieces, `${charged} of ${pieces} pieces are charged`);
    }
    bench.note(
      `silence ends a stream after ${IDLE_MS} ms of it; a drip is no silence, and ends at total_ms (${TOTAL_MS} ms)`,
    );
    return rig.reconcile();
  },
};
