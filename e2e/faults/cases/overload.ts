// More than a gateway can do: it refuses early and well, serves those it lets in (B-08), and one token's burst is that
// token's trouble (B-09).
import assert from 'node:assert/strict';
import { pause, waitUntil } from '../../support/wait.ts';
import { type Bench, BOTH, type Fault } from '../command/fault.ts';
import { compare, inWords, startControl } from '../rig/clients/beside.ts';
import { type Burst, type BurstCall, type BurstOptions, startBurst } from '../rig/clients/burst.ts';
import type { Sums } from '../rig/records/four-sums.ts';
import { quantile } from '../rig/clients/quantile.ts';
import type { Rig } from '../rig/rig.ts';
import { type StubThread, startStubThread } from '../rig/providers/stub-thread.ts';

const MODEL = 'under-load';
const CONNECTIONS = 200;
/** Beyond 1.5-fold: what a machine with few cores adds to a process that wants one of them all the time. */
const BUSY_MS = 250;
/** With fewer there is no p99 to speak of. */
const FEWEST_CALLS = 50;

/** A rig with a second model, whose provider keeps up with any load. */
class Loaded {
  readonly rig: Rig;
  readonly #stub: StubThread;
  #nextCall = 1_000_000;

  private constructor(rig: Rig, stub: StubThread) {
    this.rig = rig;
    this.#stub = stub;
  }

  static async start(bench: Bench): Promise<Loaded> {
    const rig = await bench.startRig({ gateways: 1 });
    const stub = await startStubThread();
    bench.atEnd(() => stub.stop());
    await rig.operator.send('PUT', `/models/${MODEL}`, {
      price: { unit: 'tokens', input: '2.5', cached_input: '1.25', output: '10000' },
    });
    await rig.operator.send('POST', '/channels', {
      name: 'under load',
      provider: 'openai',
      base_url: stub.baseUrl,
      keys: ['k'],
      models: { [MODEL]: 'sandbox-chat' },
    });
    return new Loaded(rig, stub);
  }

  async burst(options: Pick<BurstOptions, 'connections' | 'perSecond' | 'restMs'>): Promise<Burst> {
    const { rig } = this;
    const firstCall = this.#nextCall;
    this.#nextCall += 1_000_000;
    const burst = await startBurst({ ...options, port: rig.gateway().port, key: rig.key, model: MODEL, firstCall });
    return {
      async end() {
        const calls = await burst.end();
        for (const call of calls) rig.journal.push(call); // too many for the arguments of one push
        return calls;
      },
    };
  }

  async reconcile(): Promise<Sums> {
    for (const record of await this.#stub.records()) this.rig.stub.records.push(record);
    return this.rig.reconcile();
  }
}

/** A refusal says when to try again. */
function checkAnswers(calls: readonly BurstCall[]): { served: BurstCall[]; refused: BurstCall[] } {
  for (const { status, retryAfter, failure } of calls) {
    assert.ok(status === 200 || status === 503 || status === 429, `a call ended with ${failure ?? status}`);
    assert.ok(status === 200 || (retryAfter ?? 0) > 0, 'refused without a Retry-After');
  }
  const served = calls.filter(({ status }) => status === 200);
  return { served, refused: calls.filter(({ status }) => status !== 200) };
}

export const noisyNeighbour: Fault = {
  id: 'B-09',
  title: "one token's burst beside another token's quiet calls",
  stores: BOTH,
  rounds: 200,
  async run(bench) {
    const loaded = await Loaded.start(bench);
    const { rig } = loaded;
    const control = await startControl(bench);
    const { key } = await rig.operator.addToken(rig.accountId);
    await compare(rig, control, { calls: 50, key });
    const burst = await loaded.burst({ connections: CONNECTIONS });
    await pause(3_000);
    const compared = await compare(rig, control, { calls: Math.max(FEWEST_CALLS, bench.rounds), key });
    const { served, refused } = checkAnswers(await burst.end());
    const own = quantile(
      served.map(({ milliseconds }) => milliseconds),
      0.5,
    );
    const { tested, control: beside } = compared;
    const words = `another token: ${inWords(compared)}`;
    // Of so few calls the p99 is a single one, which on a busy machine may be anything.
    assert.ok(tested.p95 < beside.p95 * 1.5 + BUSY_MS, words);
    assert.ok(tested.median < own / 2, `${words}, the burst itself ${own.toFixed(0)} ms`);
    bench.note(
      `a burst of ${CONNECTIONS} connections: ${served.length} served, ${refused.length} refused, p50 ${own.toFixed(0)} ms; ${words}`,
    );
    return loaded.reconcile();
  },
};

const STEP = 5;
/** Enough for more to wait than may. */
const connectionsFor = (perSecond: number): number => Math.round(Math.min(6_000, Math.max(2_500, 3 * perSecond)));
/** After it, no request waits longer than a second in a queue that does not get shorter (docs/scale.md). */
const SETTLED_MS = 6_000;
const STEP_SECONDS = 12;
/** Of what it can serve: a gateway that is busy refusing serves nobody. The clients of the step take their part of the machine, too. */
const LEAST_SERVED = 1 / 4;
/** What it takes to be heard by a process that answers thousands of others. */
const MARGIN_MS = 1_000;
const p99Of = (calls: readonly BurstCall[]): number =>
  quantile(
    calls.map(({ milliseconds }) => milliseconds),
    0.99,
  );

export const loadStep: Fault = {
  id: 'B-08',
  title: `a step to ${STEP} times the load that a gateway can serve`,
  stores: BOTH,
  rounds: 1,
  async run(bench) {
    const loaded = await Loaded.start(bench);
    for (let round = 0; round < bench.rounds; round++)
      bench.note(await stepOnce(loaded, bench.seconds ?? STEP_SECONDS));
    return loaded.reconcile();
  },
};

async function stepOnce(loaded: Loaded, seconds: number): Promise<string> {
  const full = await loaded.burst({ connections: 64 });
  await pause(5_000);
  const most = checkAnswers(await full.end()).served.filter(({ at }) => at > 2_000);
  const perSecond = most.length / 3;
  const before = p99Of(most);
  const step = await loaded.burst({ connections: connectionsFor(perSecond), perSecond: STEP * perSecond });
  await pause(seconds * 1000);
  const { served, refused } = checkAnswers(await step.end());
  const endedAt = performance.now();
  assert.ok(refused.length > 0, `nobody was refused at ${STEP} times ${perSecond.toFixed(0)} calls a second`);
  const settled = served.filter(({ at }) => at > SETTLED_MS && at < seconds * 1000);
  const servedPerSecond = settled.length / (seconds - SETTLED_MS / 1000);
  assert.ok(
    servedPerSecond > perSecond * LEAST_SERVED,
    `only ${servedPerSecond.toFixed(0)} calls a second served of ${perSecond.toFixed(0)}`,
  );
  const during = p99Of(settled);
  assert.ok(
    during < before * 1.5 + 1_000 + MARGIN_MS,
    `those let in: p99 ${during.toFixed(0)} ms, ${before.toFixed(0)} ms before`,
  );
  await waitUntil(async () => (await loaded.rig.call()).milliseconds < before + 100, 'slow after the step', 10_000);
  const recovered = performance.now() - endedAt;
  assert.ok(recovered < 10_000, `recovered only after ${recovered.toFixed(0)} ms`);
  return (
    `${perSecond.toFixed(0)} calls a second, p99 ${before.toFixed(0)} ms; at ${STEP} times that ${servedPerSecond.toFixed(0)} a second served, p99 ${during.toFixed(0)} ms, ` +
    `${refused.length} refused with Retry-After, p99 ${p99Of(refused).toFixed(0)} ms; well again ${recovered.toFixed(0)} ms after`
  );
}
