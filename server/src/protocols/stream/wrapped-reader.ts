// A stream as another reader follows it; what is to be put differently is overridden.
import type { Extras, TokenUsage } from '../../neutral/usage.ts';
import type { StreamReader, UpstreamComplaint } from '../protocol.ts';

export class WrappedReader implements StreamReader {
  protected readonly inner: StreamReader;

  constructor(inner: StreamReader) {
    this.inner = inner;
  }

  get started(): boolean {
    return this.inner.started;
  }

  get ended(): boolean {
    return this.inner.ended;
  }

  get last(): Buffer | undefined {
    return this.inner.last;
  }

  get usage(): TokenUsage | undefined {
    return this.inner.usage;
  }

  get isDoubtful(): boolean {
    return this.inner.isDoubtful === true;
  }

  get extras(): Extras | undefined {
    return this.inner.extras;
  }

  get outputPieces(): number {
    return this.inner.outputPieces;
  }

  get images(): number | undefined {
    return this.inner.images;
  }

  get complaint(): UpstreamComplaint | undefined {
    return this.inner.complaint;
  }

  push(chunk: Buffer): Buffer | undefined {
    return this.inner.push(chunk);
  }

  isComplete(): boolean {
    return this.inner.isComplete();
  }
}
