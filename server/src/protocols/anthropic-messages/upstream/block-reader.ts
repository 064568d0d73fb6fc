// One content block of a stream: its deltas become parts.
import type { Citation } from '../../../neutral/conversation.ts';
import type { BlockStart, StreamPart } from '../../../neutral/stream-part.ts';
import { asRecord, asText, type JsonRecord } from '../../json/json-value.ts';
import { readCitation } from '../citations.ts';
import { NAME } from '../wire.ts';

/** undefined for blocks that nobody else knows. */
export function readBlockStart(block: JsonRecord): BlockStart | undefined {
  if (block['type'] === 'text') return { type: 'text' };
  if (block['type'] === 'thinking') return { type: 'reasoning' };
  if (block['type'] === 'redacted_thinking') {
    const value = asText(block['data']);
    return value === undefined ? undefined : { type: 'reasoning', sealed: { protocol: NAME, value } };
  }
  if (block['type'] !== 'tool_use') return undefined;
  const name = asText(block['name']);
  return name === undefined ? undefined : { type: 'tool-call', id: asText(block['id']) ?? '', name };
}

/** Which delta carries the text of which block. */
const TEXTS: Readonly<Record<BlockStart['type'], { delta: string; field: string }>> = {
  text: { delta: 'text_delta', field: 'text' },
  refusal: { delta: 'text_delta', field: 'text' },
  reasoning: { delta: 'thinking_delta', field: 'thinking' },
  'tool-call': { delta: 'input_json_delta', field: 'partial_json' },
};

export class BlockReader {
  readonly #index: number;
  readonly #block: BlockStart;
  /** Of a call whose arguments came with its beginning. */
  #input = '{}';
  #length = 0;
  readonly #citations: Citation[] = [];

  constructor(index: number, block: BlockStart) {
    this.#index = index;
    this.#block = block;
  }

  begin(reported: JsonRecord): StreamPart[] {
    const start: StreamPart = { type: 'block-start', index: this.#index, block: this.#block };
    if (this.#block.type === 'tool-call') {
      this.#input = JSON.stringify(asRecord(reported['input']) ?? {});
      return [start];
    }
    if (this.#block.type === 'reasoning' && this.#block.sealed !== undefined) return [start];
    return [start, ...this.#say(reported[TEXTS[this.#block.type].field]), ...this.#sign(reported['signature'])];
  }

  delta(delta: JsonRecord): StreamPart[] {
    const { type } = this.#block;
    if (delta['type'] === TEXTS[type].delta) return this.#say(delta[TEXTS[type].field]);
    if (delta['type'] === 'signature_delta') return this.#sign(delta['signature']);
    const citation =
      delta['type'] === 'citations_delta' && type === 'text' ? readCitation(delta['citation']) : undefined;
    if (citation !== undefined) this.#citations.push(citation);
    return [];
  }

  /** Citations support the whole block, so they wait until its length is known. */
  end(): StreamPart[] {
    const index = this.#index;
    const input = this.#block.type === 'tool-call' && this.#length === 0 ? this.#say(this.#input) : [];
    const citations = this.#citations.map((citation): StreamPart => ({
      type: 'citation',
      index,
      citation: { ...citation, start: 0, end: this.#length },
    }));
    return [...input, ...citations, { type: 'block-end', index }];
  }

  #say(value: unknown): StreamPart[] {
    const text = asText(value) ?? '';
    if (text === '') return [];
    this.#length += text.length;
    return [{ type: 'delta', index: this.#index, text }];
  }

  #sign(value: unknown): StreamPart[] {
    const signature = asText(value) ?? '';
    if (signature === '' || this.#block.type !== 'reasoning') return [];
    return [{ type: 'signature', index: this.#index, signature: { protocol: NAME, value: signature } }];
  }
}
