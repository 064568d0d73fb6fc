// Follows an answer of plain bytes, such as audio: everything passes, and the end of the bytes is the end.
import type { StreamReader } from '../protocol.ts';

/** Twenty tokens to a second of sound, which is 128 kbit. */
const BYTES_PER_TOKEN = 800;

/** Tokens in a sound of which only the size is known: by the bytes, never by how the network cut them. */
export function countSoundTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

export class BytesReader implements StreamReader {
  started = false;
  readonly ended = false;
  readonly last = undefined;
  readonly usage = undefined;
  readonly complaint = undefined;
  #bytes = 0;

  get outputPieces(): number {
    return countSoundTokens(this.#bytes);
  }

  push(chunk: Buffer): Buffer {
    this.started = true;
    this.#bytes += chunk.length;
    return chunk;
  }

  isComplete(): boolean {
    return true;
  }
}
