// The items of a responses stream: blocks that are begun, filled and ended, each reported once however often it is repeated.
import type { BlockStart, StreamPart } from '../../../neutral/stream-part.ts';
import { asList, asRecord, asText, type JsonRecord } from '../../json/json-value.ts';
import { readUrlCitation } from '../../openai-shared/citations.ts';
import type { Shown } from '../finish-reason.ts';
import { callId, readReasoningItem } from './read-result.ts';

interface Block {
  index: number;
  /** What of its text has been reported. */
  reported: string;
  isOpen: boolean;
}

export interface Position {
  item: number;
  content: number;
}

export class ItemReader {
  readonly shown: Shown = { callsTools: false, refuses: false };
  readonly #blocks = new Map<string, Block>();

  get isEmpty(): boolean {
    return this.#blocks.size === 0;
  }

  say(position: Position, type: 'text' | 'refusal', text: string): StreamPart[] {
    return text === '' ? [] : [...this.#begin(keyOf(position), { type }), ...this.#tell(keyOf(position), text)];
  }

  /** `whole` is all of its text, for upstreams that send no deltas. */
  end(position: Position, type: 'text' | 'refusal', whole: string): StreamPart[] {
    const begun = whole === '' ? [] : this.#begin(keyOf(position), { type });
    return [...begun, ...this.#close(keyOf(position), whole)];
  }

  cite(position: Position, annotation: unknown): StreamPart[] {
    const block = this.#blocks.get(keyOf(position));
    if (block === undefined || !block.isOpen) return [];
    return readUrlCitation(annotation).map((citation) => ({ type: 'citation', index: block.index, citation }));
  }

  callDelta(item: number, text: string): StreamPart[] {
    return this.#tell(`${item}`, text);
  }

  /** Summaries come in parts, which are paragraphs. */
  nextSummary(item: number): StreamPart[] {
    return this.#tell(`${item}`, '\n\n');
  }

  reason(item: number, text: string): StreamPart[] {
    return text === '' ? [] : [...this.#begin(`${item}`, { type: 'reasoning' }), ...this.#tell(`${item}`, text)];
  }

  beginItem(item: number, wire: JsonRecord): StreamPart[] {
    const name = asText(wire['name']) ?? '';
    if (wire['type'] !== 'function_call' || name === '') return [];
    return this.#begin(`${item}`, { type: 'tool-call', id: callId(wire), name });
  }

  /** Says what the deltas did not. */
  endItem(item: number, wire: JsonRecord): StreamPart[] {
    if (wire['type'] === 'function_call') {
      return [...this.beginItem(item, wire), ...this.#close(`${item}`, asText(wire['arguments']) ?? '')];
    }
    if (wire['type'] === 'reasoning') return this.#endReasoning(`${item}`, wire);
    if (wire['type'] !== 'message') return [];
    const contents = asList(wire['content']).map((one) => asRecord(one) ?? {});
    const ends = contents.flatMap((content, index) => this.#endContent({ item, content: index }, content));
    return [...ends, ...this.#closeWhere((key) => key.startsWith(`${item}/`))];
  }

  endAll(): StreamPart[] {
    return this.#closeWhere(() => true);
  }

  #endContent(position: Position, wire: JsonRecord): StreamPart[] {
    const isNew = !this.#blocks.has(keyOf(position));
    if (wire['type'] === 'refusal') return this.end(position, 'refusal', asText(wire['refusal']) ?? '');
    if (wire['type'] !== 'output_text') return [];
    const text = asText(wire['text']) ?? '';
    if (!isNew) return this.#close(keyOf(position), text);
    const citations = asList(wire['annotations']);
    return [
      ...this.say(position, 'text', text),
      ...citations.flatMap((one) => this.cite(position, one)),
      ...this.#close(keyOf(position), text),
    ];
  }

  #endReasoning(key: string, wire: JsonRecord): StreamPart[] {
    const { text, signature } = readReasoningItem(wire);
    const begun = text === '' && signature === undefined ? [] : this.#begin(key, { type: 'reasoning' });
    const block = this.#blocks.get(key);
    if (block === undefined || !block.isOpen) return begun;
    const signed: StreamPart[] = signature === undefined ? [] : [{ type: 'signature', index: block.index, signature }];
    return [...begun, ...signed, ...this.#close(key, text)];
  }

  #begin(key: string, block: BlockStart): StreamPart[] {
    if (this.#blocks.has(key)) return [];
    const index = this.#blocks.size;
    this.#blocks.set(key, { index, reported: '', isOpen: true });
    this.shown.callsTools ||= block.type === 'tool-call';
    this.shown.refuses ||= block.type === 'refusal';
    return [{ type: 'block-start', index, block }];
  }

  #tell(key: string, text: string): StreamPart[] {
    const block = this.#blocks.get(key);
    if (block === undefined || !block.isOpen || text === '') return [];
    block.reported += text;
    return [{ type: 'delta', index: block.index, text }];
  }

  #close(key: string, whole: string): StreamPart[] {
    const block = this.#blocks.get(key);
    if (block === undefined || !block.isOpen) return [];
    const rest = whole.startsWith(block.reported) ? this.#tell(key, whole.slice(block.reported.length)) : [];
    block.isOpen = false;
    return [...rest, { type: 'block-end', index: block.index }];
  }

  #closeWhere(isMeant: (key: string) => boolean): StreamPart[] {
    return [...this.#blocks.keys()].filter(isMeant).flatMap((key) => this.#close(key, ''));
  }
}

function keyOf({ item, content }: Position): string {
  return `${item}/${content}`;
}
