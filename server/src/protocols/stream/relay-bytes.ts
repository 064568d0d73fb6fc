// Follows an answer of plain bytes, such as audio: everything passes, and the end of the bytes is the end.
import type { JsonObject } from '../../shared/json-fields.ts';
import { inputSize } from '../json/json-request.ts';
import type { RelayRequest, StreamReader } from '../protocol.ts';

/** A request whose answer is never a stream of events and holds no tokens: vectors, scores, verdicts. */
export function wholeRequest(json: JsonObject, model: string): Omit<RelayRequest, 'write'> {
  const readStream = (): StreamReader => new BytesReader();
  return { model, stream: false, maxOutputTokens: 0, choices: 1, ...inputSize(json), readStream };
}

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
