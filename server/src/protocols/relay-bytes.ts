// Follows an answer of plain bytes, such as audio: everything passes, and the end of the bytes is the end.
import type { StreamReader } from './protocol.ts';

export class BytesReader implements StreamReader {
  started = false;
  readonly ended = false;
  readonly last = undefined;
  readonly usage = undefined;
  readonly complaint = undefined;
  outputPieces = 0;

  push(chunk: Buffer): Buffer {
    this.started = true;
    this.outputPieces++;
    return chunk;
  }

  isComplete(): boolean {
    return true;
  }
}
