// What long streams have come to so far, written down now and then while they run: when this process dies, its holds are
// settled by that instead of being given back whole (promise M-06). No stream waits for it.
import type { Ledger } from '../billing/ledger.ts';
import { IndexedSet, type Member } from '../shared/runtime/indexed-set.ts';
import type { RequestRow } from '../store/ledger/operations.ts';
import type { RateGrant } from '../access/rate-limit/rate-limiter.ts';
import type { StreamReader } from '../protocols/protocol.ts';
import type { Bill } from './bill.ts';
import { atLeast } from './deliver-stream.ts';
import { type OutcomeFacts, requestRow } from './outcome.ts';
import type { AsSent } from './sent-limit.ts';

/** A stream that is under way. */
export interface FollowedStream {
  /** Output tokens so far. */
  output(): number;
  /** Called with the output whenever it is looked at. */
  saw?(output: number): void;
  /** Its line of the request log as of now; undefined while nothing is due. */
  row(): RequestRow | undefined;
}

/** About 4 KiB of text. */
const TOKENS_APART = 1_000;
const LOOK_MS = 1_800;

export class Checkpoints {
  readonly #ledger: Pick<Ledger, 'checkpoint'>;
  readonly #streams = new IndexedSet<StreamCheckpoints>();
  #timer: NodeJS.Timeout | undefined;

  constructor(ledger: Pick<Ledger, 'checkpoint'>) {
    this.#ledger = ledger;
  }

  follow(stream: FollowedStream): StreamCheckpoints {
    const followed = new StreamCheckpoints(stream, this.#ledger);
    this.#streams.add(followed);
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
    return followed;
  }

  forget(stream: StreamCheckpoints | undefined): void {
    if (stream === undefined) return;
    stream.stop();
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    for (const stream of this.#streams) stream.note();
  }
}

export class StreamCheckpoints implements Member {
  index: number | undefined;
  readonly #stream: FollowedStream;
  readonly #ledger: Pick<Ledger, 'checkpoint'>;
  #noted = 0;
  #busy = false;
  #stopped = false;

  constructor(stream: FollowedStream, ledger: Pick<Ledger, 'checkpoint'>) {
    this.#stream = stream;
    this.#ledger = ledger;
  }

  /** Something was said. */
  spoke(): void {
    if (!this.#busy && this.#stream.output() - this.#noted >= TOKENS_APART) this.note();
  }

  /** Writes down what has come since the last time, if anything has; the last one may still be on its way. */
  note(): void {
    const output = this.#stream.output();
    if (this.#busy || this.#stopped || output === this.#noted) return;
    this.#stream.saw?.(output);
    const row = this.#stream.row();
    if (row === undefined) return;
    this.#noted = output;
    this.#busy = true;
    const done = (): void => {
      this.#busy = false;
    };
    this.#ledger.checkpoint(row).then(done, done); // the next one says more
  }

  stop(): void {
    this.#stopped = true;
  }
}

interface StreamMoney {
  bill: Bill;
  facts: OutcomeFacts;
  grant: RateGrant | undefined;
  asSent: AsSent | undefined;
}

/** A stream as its checkpoints read it: what it would be charged if it broke off now. */
export function followedStream(
  { bill, facts, grant, asSent }: StreamMoney,
  reader: StreamReader,
  firstByteMs: number,
): FollowedStream {
  return {
    output: () => reader.outputPieces,
    saw: (output) => grant?.saw(output),
    row() {
      const { outputPieces: output, images, isDoubtful, extras } = reader;
      const counted = atLeast(reader.usage, output);
      if (!bill.isDue(counted?.output ?? output)) return undefined;
      const reported = { usage: counted, output, images, isDoubtful, extras };
      const { usage, source } = bill.used({ ...reported, source: 'counted', ...asSent });
      const end = { status: 200, errorCode: null, firstByteMs, usage, usageSource: source, charge: bill.charge(usage) };
      return requestRow(facts, end);
    },
  };
}
