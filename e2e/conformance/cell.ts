// One cell of the grid: one kind of request, of one client library, to one kind of upstream, whole or streamed.
import assert from 'node:assert/strict';
import type { SandboxRecord } from '../../server/src/sandbox/server.ts';
import type { TestGateway } from '../support/gateway.ts';
import { requestOf } from '../support/money.ts';
import { makeChannel, PRICE, uniqueName } from '../support/world.ts';
import type { ClientDriver, Question, Seen } from './driver.ts';
import type { Received, Upstream } from './upstream.ts';

/** What the table shows; anything else is a thrown failure. */
export type Verdict = 'ok' | 'counted' | `named: ${string}` | 'passed on';

export interface Scenario {
  name: string;
  /** For readers of the table. */
  asserts: string;
  run(cell: Cell): Promise<Verdict>;
}

export interface CellSetup {
  gateway: TestGateway;
  client: ClientDriver;
  upstream: Upstream;
  stream: boolean;
  /** A model whose only channel is an ordinary upstream of this kind. */
  model: string;
}

export class Cell {
  readonly client: ClientDriver;
  readonly upstream: Upstream;
  readonly stream: boolean;
  readonly #setup: CellSetup;
  /** Stands in every prompt, so that the upstream's records of this cell differ from others. */
  readonly #mark = uniqueName('cell');

  constructor(setup: CellSetup) {
    this.client = setup.client;
    this.upstream = setup.upstream;
    this.stream = setup.stream;
    this.#setup = setup;
  }

  /** `model`: another than the ordinary one. */
  ask(question: Question, { model = this.#setup.model, strict = false } = {}): Promise<Seen> {
    const marked = { ...question, prompt: `${question.prompt} (${this.#mark})` };
    return this.client.ask({ question: marked, model, stream: this.stream, strict });
  }

  /** Asks for what must succeed, with nothing lost on the way. */
  async succeed(question: Question): Promise<Seen> {
    const seen = await this.ask(question);
    assert.deepEqual(seen.dropped, []);
    await this.checkAnswered(seen);
    return seen;
  }

  /** The answer is a good one, streamed if so asked, and the usage shown is the usage charged. */
  async checkAnswered(seen: Seen): Promise<void> {
    assert.equal(seen.error, undefined, seen.error?.message);
    if (this.stream) assert.ok(seen.pieces > 0, 'nothing came as a stream');
    const headers = new Headers({ 'x-request-id': seen.requestId ?? '' });
    const { usage, usage_source: source } = await requestOf(this.#setup.gateway, { headers });
    assert.deepEqual([usage?.input_tokens, usage?.output_tokens], [seen.usage?.input, seen.usage?.output]);
    assert.equal(source, 'upstream');
    for (const { streams } of this.received) assert.equal(streams, this.stream);
  }

  /** What the upstream was asked, oldest first. */
  get received(): Received[] {
    const { upstream } = this.#setup.gateway;
    const isOwn = ({ rawBody }: SandboxRecord): boolean => rawBody.includes(this.#mark);
    return upstream.records.filter(isOwn).map((record) => this.upstream.read(record));
  }

  get lastReceived(): Received {
    const last = this.received.at(-1);
    assert.ok(last !== undefined, 'the upstream was not asked');
    return last;
  }

  /** A model of this cell's own, with one channel per behaviour, asked in this order; '' behaves. */
  async makeModel(behaviours: readonly string[]): Promise<string> {
    const { gateway, upstream } = this.#setup;
    const model = uniqueName('model');
    await gateway.operator('PUT', `/models/${model}`, { price: PRICE });
    for (const [index, behave] of behaviours.entries())
      await offer(gateway, { upstream, model, behave, priority: -index });
    return model;
  }
}

/** A channel of the wanted kind to the sandbox that carries the model. */
export async function offer(
  gateway: TestGateway,
  { upstream, model, behave = '', priority = 0 }: OfferOptions,
): Promise<void> {
  const { provider, options } = upstream;
  const access = upstream.access?.(gateway.upstream);
  const base_url = gateway.upstream.baseUrl(provider, behave === '' ? undefined : behave);
  await makeChannel(gateway, { [model]: upstream.model }, { provider, base_url, options, priority, ...access });
}

export interface OfferOptions {
  upstream: Upstream;
  model: string;
  behave?: string;
  priority?: number;
}
