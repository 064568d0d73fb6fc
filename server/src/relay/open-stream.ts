// A stream from an upstream, before and after its first event. Before it, a failure is the attempt's failure and another
// channel may be asked; after it, the failure is the stream's and ends what the client already reads.
import { StreamError, type StreamReader, type UpstreamComplaint } from '../protocols/protocol.ts';
import type { UpstreamCall } from '../providers/call-upstream.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import type { PassedOn } from '../providers/collect-answer.ts';

export interface StreamConsumer {
  onBytes(bytes: Buffer): void;
  /** Once; with the failure when the stream did not end well. */
  onEnd(failure: UpstreamError | undefined): void;
}

/** An upstream that goes on after its own end is hung up on. */
const AFTER_END_MS = 1_000;

interface FirstEvent {
  resolve(stream: OpenStream): void;
  reject(error: UpstreamError): void;
}

export class OpenStream implements PassedOn {
  readonly reader: StreamReader;
  call: UpstreamCall | undefined;
  /** The upstream's, once its answer has begun. */
  contentType = '';
  #firstEvent: FirstEvent | undefined;
  #early: Buffer[] = [];
  #consumer: StreamConsumer | undefined;
  #over = false;
  #failure: UpstreamError | undefined;

  constructor(reader: StreamReader, firstEvent: FirstEvent) {
    this.reader = reader;
    this.#firstEvent = firstEvent;
  }

  /** Begins to hand out what has come and what will come. */
  consume(consumer: StreamConsumer): void {
    this.#consumer = consumer;
    for (const bytes of this.#early) consumer.onBytes(bytes);
    this.#early = [];
    if (this.#over) consumer.onEnd(this.#failure);
  }

  onStart(): void {}

  onData(chunk: Buffer): void {
    if (this.#over) return;
    let bytes: Buffer | undefined;
    try {
      bytes = this.reader.push(chunk);
    } catch (error) {
      if (!(error instanceof StreamError) && !(error instanceof RangeError)) throw error;
      return this.#breakOff(new UpstreamError('malformed', error.message));
    }
    if (bytes !== undefined) this.#hand(bytes);
    if (this.reader.complaint !== undefined) return this.#breakOff(reported(this.reader.complaint));
    if (this.reader.started) this.#open();
    if (this.reader.ended) {
      this.#finish(undefined);
      setTimeout(
        () => this.call?.abort(new UpstreamError('aborted', 'nothing more is expected')),
        AFTER_END_MS,
      ).unref();
    }
  }

  onEnd(): void {
    // Asked first: the one event of a short stream may be found only now.
    const isComplete = this.reader.isComplete();
    const { started, complaint } = this.reader;
    if (started && isComplete) {
      this.#open();
      return this.#finish(undefined);
    }
    if (complaint !== undefined) return this.#finish(reported(complaint));
    this.#finish(new UpstreamError('unreachable', started ? 'the stream ended too early' : 'the stream was empty'));
  }

  onFail(error: UpstreamError): void {
    this.#finish(error);
  }

  #open(): void {
    const { resolve } = this.#firstEvent ?? {};
    this.#firstEvent = undefined;
    resolve?.(this);
  }

  #hand(bytes: Buffer): void {
    if (this.#consumer === undefined) this.#early.push(bytes);
    else this.#consumer.onBytes(bytes);
  }

  #breakOff(error: UpstreamError): void {
    this.#finish(error);
    this.call?.abort(error);
  }

  #finish(failure: UpstreamError | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#failure = failure;
    if (this.#firstEvent !== undefined) {
      this.#firstEvent.reject(failure ?? new UpstreamError('malformed', 'the stream was empty'));
      this.#firstEvent = undefined;
    } else {
      this.#consumer?.onEnd(failure);
    }
  }
}

/** Where the error says that it is a throttle or a refusal, it is judged as that; any other is the upstream's own. */
function reported({ status, message }: UpstreamComplaint): UpstreamError {
  const text = 'the upstream reported an error in the stream';
  if (status === 429) return new UpstreamError('limited', text, { status });
  if (status === 400)
    return new UpstreamError('refused', text, { status, ...(message !== undefined && { upstreamMessage: message }) });
  return new UpstreamError('overloaded', text);
}
