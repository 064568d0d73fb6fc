// Proofs of other protocols' upstreams come back in requests for one of the client's own. They are not for its eyes: they
// are taken out of the bytes of the few requests that hold any, and those of the protocol itself are bare again.
import { readSignature } from '../../neutral/signature.ts';
import { arrayElements, type JsonObject } from '../../shared/json-fields.ts';
import { type JsonRecord, parseRecord } from '../json/json-value.ts';

export interface SignatureFields {
  /** Bytes that every marked proof has. */
  mark: string;
  /** The field that holds the conversation. */
  list: string;
  /** Cleans a turn in place; undefined when nothing is left of it. */
  clean(turn: JsonRecord, upstreamModel: string): JsonRecord | undefined;
}

const NO_CHANGES: Readonly<Record<string, string>> = {};

export class ForeignSignatures {
  readonly #json: JsonObject;
  readonly #fields: SignatureFields;
  #isMarked: boolean | undefined;

  constructor(json: JsonObject, positions: SignatureFields) {
    this.#json = json;
    this.#fields = positions;
  }

  /** Fields of the body that must be set; none in almost every request, which is not even searched. */
  changes(upstreamModel: string): Readonly<Record<string, string>> {
    const { mark, list } = this.#fields;
    this.#isMarked ??= this.#json.noted && this.#json.bytes.includes(mark);
    const field = this.#isMarked ? this.#json.fields.get(list) : undefined;
    if (field?.kind !== 'array') return NO_CHANGES;
    const turns = arrayElements(this.#json, field).flatMap((bytes) => this.#clean(bytes, upstreamModel));
    return { [list]: `[${turns.join(',')}]` };
  }

  /** Turns without such a proof keep their bytes. */
  #clean(bytes: Buffer, upstreamModel: string): string[] {
    const text = bytes.toString();
    const turn = text.includes(this.#fields.mark) ? parseRecord(text) : undefined;
    if (turn === undefined) return [text];
    const before = JSON.stringify(turn);
    const cleaned = this.#fields.clean(turn, upstreamModel);
    if (cleaned === undefined) return [];
    const after = JSON.stringify(cleaned);
    return [after === before ? text : after];
  }
}

/** A proof as its own upstream gave it; undefined for one of another protocol. */
export function bareSignature(text: string, own: string): string | undefined {
  const { protocol, value } = readSignature(text, own);
  return protocol === own ? value : undefined;
}
