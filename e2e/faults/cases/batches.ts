// A batch over two nodes (one on SQLite) with a kill -9 of each in turn: every line is answered once and charged once, the
// sums are equal, and the books agree (contract-2 8). Live calls beside it are timed with and without the batch.
import assert from 'node:assert/strict';
import { reconcile } from '../../../server/src/billing/reconcile.ts';
import { openExistingStore } from '../../../server/src/store/open-store.ts';
import { pause } from '../../support/wait.ts';
import { BOTH, type Bench, type Fault } from '../command/fault.ts';
import { NANO_PER_TOKEN, TOKENS_MODEL } from '../operator.ts';
import { quantile } from '../rig/clients/quantile.ts';
import type { Rig } from '../rig/rig.ts';

const PRICE = { unit: 'tokens', input: '2.5', cached_input: '1.25', output: '10000', batch: '0.5' };

/** Of the provider, so that a kill finds lines under way. */
const DELAY_MS = { long: 15, short: 300 };
const LIVE_CALLS = 400;
/** So many of the lines are done before the next kill. */
const BETWEEN_KILLS = { long: 0.12, short: 0.3 };
const LONG = 1_000;
const MOST_MS = 60 * 60_000;

interface Batch {
  id: string;
  status: string;
  output_file_id?: string;
  error_file_id?: string;
  request_counts: { total: number; completed: number; failed: number };
}

interface OutputLine {
  custom_id: string;
  response: { status_code: number; body: { usage: SentUsage } };
}

interface SentUsage {
  prompt_tokens: number;
  completion_tokens: number;
  prompt_tokens_details?: { cached_tokens?: number };
}

/** At half of the price. */
function dueFor({ prompt_tokens, completion_tokens, prompt_tokens_details }: SentUsage): bigint {
  const cached = BigInt(prompt_tokens_details?.cached_tokens ?? 0);
  const input = (BigInt(prompt_tokens) - cached) * NANO_PER_TOKEN.input + cached * NANO_PER_TOKEN.cached;
  return (input + BigInt(completion_tokens) * NANO_PER_TOKEN.output) / 2n;
}

/** Of any node that answers. */
async function askText(rig: Rig, path: string, init: RequestInit = {}): Promise<string> {
  for (let round = 0; ; round++) {
    const { address } = rig.gateway(round % rig.gateways.length);
    const headers = { authorization: `Bearer ${rig.key}`, ...(init.headers as Record<string, string>) };
    const answer = await fetch(`${address}${path}`, { ...init, headers }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    if (answer?.ok === true && text !== undefined) return text;
    if (answer !== undefined && answer.status < 500) throw new Error(`${path} answered ${answer.status}: ${text}`);
    await pause(100);
  }
}

async function ask<T>(rig: Rig, path: string, init?: RequestInit): Promise<T> {
  return JSON.parse(await askText(rig, path, init)) as T;
}

async function begin(rig: Rig, count: number): Promise<Batch> {
  const lines = Array.from({ length: count }, (_, index) => {
    const messages = [{ role: 'user', content: `Line ${index}` }];
    const body = { model: TOKENS_MODEL, max_tokens: 100_000 + index, messages };
    return JSON.stringify({ custom_id: `line-${index}`, method: 'POST', url: '/v1/chat/completions', body });
  });
  const form = new FormData();
  form.set('purpose', 'batch');
  form.set('file', new Blob([lines.join('\n')]), 'lines.jsonl');
  const { id } = await ask<{ id: string }>(rig, '/v1/files', { method: 'POST', body: form });
  const asked = { input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' };
  return ask(rig, '/v1/batches', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(asked),
  });
}

/** p99 of live calls, in milliseconds. */
async function timeLive(rig: Rig, gateway: number): Promise<number> {
  const taken: number[] = [];
  for (let call = 0; call < LIVE_CALLS; call++) {
    const start = performance.now();
    const { status } = await rig.call({ gateway });
    if (status === 200) taken.push(performance.now() - start);
    await pause(10);
  }
  return quantile(taken, 0.99);
}

/** Kills one node after the other while the batch goes on; says how often. */
async function killInTurn(rig: Rig, id: string, total: number): Promise<{ batch: Batch; kills: number }> {
  let kills = 0;
  const between = Math.floor(total * (total >= LONG ? BETWEEN_KILLS.long : BETWEEN_KILLS.short));
  let nextKill = between;
  for (const start = Date.now(); ;) {
    const batch = await ask<Batch>(rig, `/v1/batches/${id}`);
    if (batch.status === 'completed' || batch.status === 'failed') return { batch, kills };
    if (Date.now() - start > MOST_MS) throw new Error(`the batch does not end: ${JSON.stringify(batch)}`);
    if (batch.request_counts.completed >= nextKill) {
      const index = kills++ % rig.gateways.length;
      const { port } = rig.gateway(index);
      await rig.gateway(index).end('SIGKILL');
      await pause(500);
      await rig.startAt(index, port);
      nextKill = batch.request_counts.completed + between;
    }
    await pause(50);
  }
}

async function check(bench: Bench, rig: Rig, { batch, count }: { batch: Batch; count: number }): Promise<void> {
  assert.deepEqual([batch.status, batch.request_counts], ['completed', { total: count, completed: count, failed: 0 }]);
  const output = await askText(rig, `/v1/files/${batch.output_file_id}/content`);
  const lines = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as OutputLine);
  assert.deepEqual(
    lines.map(({ custom_id }) => custom_id),
    Array.from({ length: count }, (_, index) => `line-${index}`),
    'every line is answered once, in order',
  );
  const store = await openExistingStore(rig.settings);
  try {
    const rows = await store.reads
      .selectFrom('ledger')
      .select(['request_id', 'amount'])
      .where('kind', '=', 'settle')
      .where('task_id', '=', batch.id)
      .execute();
    const charged = new Map(rows.map(({ request_id, amount }) => [request_id, amount]));
    assert.equal(rows.length, count, 'every line is charged once');
    let sum = 0n;
    for (const { custom_id, response } of lines) {
      const due = dueFor(response.body.usage);
      assert.equal(charged.get(`${batch.id}/${custom_id}`), due, custom_id);
      sum += due;
    }
    assert.equal(
      rows.reduce((all, { amount }) => all + amount, 0n),
      sum,
    );
    const left = await store.reads.selectFrom('holds').select('id').where('task_id', '=', batch.id).execute();
    assert.deepEqual(left, []);
    assert.deepEqual(await reconcile(store), []);
    const calls = rig.stub.records.filter(({ maxTokens = 0 }) => maxTokens >= 100_000).length;
    bench.note(`${count} lines answered and charged once, ${calls - count} of them asked twice; the sums are equal`);
  } finally {
    await store.close();
  }
}

export const killedBatch: Fault = {
  id: 'BATCH',
  title: 'a batch over two nodes, each killed in turn: every line answered once, charged once',
  stores: BOTH,
  rounds: 10_000,
  async run(bench) {
    const gateways = bench.store === 'postgres' ? 2 : 1;
    const rig = await bench.startRig({ gateways, start: { environment: { TOLLGATE_BATCH_CONCURRENCY: '8' } } });
    await rig.operator.send('PUT', `/models/${TOKENS_MODEL}`, { price: PRICE });
    const isLong = bench.rounds >= LONG;
    const delayMs = isLong ? DELAY_MS.long : DELAY_MS.short;
    rig.stub.script = ({ maxTokens = 0 }) => (maxTokens >= 100_000 ? { delayMs, pieces: 3 } : { pieces: 3 });
    await pause(2_000); // until every node has the price
    const without = isLong ? await timeLive(rig, gateways - 1) : 0;
    const { id } = await begin(rig, bench.rounds);
    if (isLong) {
      const beside = await timeLive(rig, gateways - 1);
      const factor = (beside / without).toFixed(2);
      bench.note(
        `p99 of live calls ${without.toFixed(0)} ms without, ${beside.toFixed(0)} ms beside it (${factor} times)`,
      );
    }
    const { batch, kills } = await killInTurn(rig, id, bench.rounds);
    assert.ok(kills >= 1, 'the batch ended before any kill');
    bench.note(`${kills} kills`);
    await check(bench, rig, { batch, count: bench.rounds });
    return undefined;
  },
};
