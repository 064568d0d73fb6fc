// One block of a written stream: gathers what is to be said and gives it out as events when its turn has come.
import type { Signature } from '../../../neutral/conversation.ts';
import type { BlockStart, StreamPart } from '../../../neutral/stream-part.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { writeCitation } from '../citations.ts';
import { writeEvent } from '../error.ts';
import { writeToolUse } from './write-result.ts';

export class BlockWriter {
  readonly type: BlockStart['type'];
  readonly #block: BlockStart;
  readonly #writeSignature: (signature: Signature) => string;
  /** Deltas not given out yet. */
  #deltas: JsonRecord[] = [];
  #signature: string | undefined;
  /** Blocks of this protocol before the one that is open now, and whether it has been begun. */
  #before = 0;
  #begun = false;
  #ended = false;
  isOver = false;

  constructor(block: BlockStart, writeSignature: (signature: Signature) => string) {
    this.#block = block;
    this.type = block.type;
    this.#writeSignature = writeSignature;
  }

  add(part: Extract<StreamPart, { index: number }>): void {
    if (part.type === 'delta' && part.text !== '') this.#deltas.push(this.#delta(part.text));
    if (part.type === 'citation' && this.type === 'text') {
      const citation = writeCitation(part.citation);
      if (citation !== undefined) this.#deltas.push({ type: 'citations_delta', citation });
    }
    if (part.type === 'signature') this.#sign(this.#writeSignature(part.signature));
    if (part.type === 'block-end') this.#ended = true;
  }

  /** What can be said now; `first` is the index of the first block it becomes, and `used` how many it has become. */
  take(first: number): { events: string; used: number } {
    let events = this.#writeSealed(first) + this.#writeCallSignature(first);
    const index = first + this.#before;
    if (!this.#begun && this.#isWorthABlock()) {
      this.#begun = true;
      events += writeEvent({ type: 'content_block_start', index, content_block: this.#start() });
    }
    if (this.#begun) {
      for (const delta of this.#deltas) events += writeEvent({ type: 'content_block_delta', index, delta });
      this.#deltas = [];
    }
    if (this.#ended && !this.isOver) {
      this.isOver = true;
      if (this.#begun) events += writeEvent({ type: 'content_block_stop', index });
    }
    return { events, used: this.#before + (this.#begun ? 1 : 0) };
  }

  #sign(signature: string): void {
    if (this.type === 'reasoning') this.#deltas.push({ type: 'signature_delta', signature });
    if (this.type === 'tool-call') this.#signature = signature;
  }

  /**
   * Empty texts are no blocks here. A call is one, but a signature must stand before it, and may come with the arguments:
   * so it is begun when they go on, or end.
   */
  #isWorthABlock(): boolean {
    if (this.type !== 'tool-call') return this.#deltas.length > 0;
    return this.#ended || this.#deltas.length > (this.#signature === undefined ? 1 : 0);
  }

  #start(): JsonRecord {
    const block = this.#block;
    if (block.type === 'tool-call') return writeToolUse(block, {});
    if (block.type === 'reasoning') return { type: 'thinking', thinking: '', signature: '' };
    return { type: 'text', text: '' };
  }

  #delta(text: string): JsonRecord {
    if (this.type === 'tool-call') return { type: 'input_json_delta', partial_json: text };
    return this.type === 'reasoning' ? { type: 'thinking_delta', thinking: text } : { type: 'text_delta', text };
  }

  #writeSealed(index: number): string {
    const block = this.#block;
    if (block.type !== 'reasoning' || block.sealed === undefined || this.#before > 0) return '';
    this.#before = 1;
    return wholeBlock(index, { type: 'redacted_thinking', data: this.#writeSignature(block.sealed) });
  }

  /** A call has no place for a signature here: it travels in an empty block of thinking before the call. */
  #writeCallSignature(index: number): string {
    if (this.#signature === undefined || this.#begun || this.#before > 0) return '';
    this.#before = 1;
    const delta = { type: 'signature_delta', signature: this.#signature };
    const block = { type: 'thinking', thinking: '', signature: '' };
    return wholeBlock(index, block, delta);
  }
}

function wholeBlock(index: number, block: JsonRecord, delta?: JsonRecord): string {
  return (
    writeEvent({ type: 'content_block_start', index, content_block: block }) +
    (delta === undefined ? '' : writeEvent({ type: 'content_block_delta', index, delta })) +
    writeEvent({ type: 'content_block_stop', index })
  );
}
