// Events of ConverseStream become neutral parts. Usage comes after the model has stopped, in an event of its own, which is
// the last; a block of text has no event that begins it.
import type { FinishReason } from '../../../neutral/finish-reason.ts';
import type { BlockStart, StreamPart } from '../../../neutral/stream-part.ts';
import type { Extras, TokenUsage } from '../../../neutral/usage.ts';
import { asRecord, asText, type JsonRecord, parseRecord } from '../../json/json-value.ts';
import { StreamError } from '../../protocol.ts';
import { eventName, type SseEvent } from '../../stream/sse.ts';
import type { PartsReader } from '../../text-protocol.ts';
import { readException } from '../error.ts';
import { readReason } from '../finish-reason.ts';
import { isDoubtful, readExtras, readUsage } from '../usage.ts';
import { NAME } from '../wire.ts';

interface Open {
  index: number;
  isCall: boolean;
  /** A call without arguments has none at all. */
  hasText: boolean;
}

export class ConversePartsReader implements PartsReader {
  usage: TokenUsage | undefined;
  isDoubtful = false;
  extras: Extras | undefined;
  /** By the upstream's index; ours count what is passed on. */
  readonly #open = new Map<unknown, Open>();
  readonly #closed = new Set<unknown>();
  #blocks = 0;
  #started = false;
  #over = false;
  #reason: FinishReason | undefined;

  push(event: SseEvent): StreamPart[] {
    if (event.data === undefined || this.#over) return [];
    const name = eventName(event);
    const data = parseRecord(event.data);
    const complaint = readException(name, data);
    if (complaint !== undefined) {
      this.#over = true;
      const { message = 'The stream ended with an error.', code, status } = complaint;
      return [{ type: 'error', message, code, status }];
    }
    if (!this.#started && name !== 'messageStart') throw new StreamError('the stream is not one of Converse');
    if (data === undefined) throw new StreamError('an event of the stream is not JSON');
    return this.#read(name, data);
  }

  /** After the stop reason only the usage can follow. */
  end(): StreamPart[] {
    return this.#over || this.#reason === undefined ? [] : this.#finish(this.#reason);
  }

  #read(name: string | undefined, data: JsonRecord): StreamPart[] {
    const index = data['contentBlockIndex'];
    // Frames carry no number: what cannot stand here has been put here by somebody else than the model.
    if (name?.startsWith('contentBlock') === true && (this.#reason !== undefined || this.#closed.has(index)))
      throw new StreamError('the events of the stream are out of order');
    switch (name) {
      case 'messageStart':
        if (this.#started) return [];
        this.#started = true;
        return [{ type: 'start', id: undefined }];
      case 'contentBlockStart':
        return this.#begin(index, asRecord(data['start']) ?? {});
      case 'contentBlockDelta':
        return this.#delta(index, asRecord(data['delta']) ?? {});
      case 'contentBlockStop':
        return this.#close(index);
      case 'messageStop':
        this.#reason = readReason(data['stopReason']);
        return [];
      case 'metadata':
        return this.#meter(data);
      default:
        return []; // unknown events are passed over (contract-2 9)
    }
  }

  #begin(index: unknown, start: JsonRecord): StreamPart[] {
    const call = asRecord(start['toolUse']);
    const name = asText(call?.['name']);
    if (call === undefined || name === undefined) return [];
    return this.#openAs(index, { type: 'tool-call', id: asText(call['toolUseId']) ?? '', name });
  }

  #delta(index: unknown, delta: JsonRecord): StreamPart[] {
    const text = asText(delta['text']);
    if (text !== undefined) return this.#say(index, { type: 'text' }, text);
    const input = asText(asRecord(delta['toolUse'])?.['input']);
    if (input !== undefined) {
      // Arguments of which a part is left out are others.
      if (!this.#open.has(index)) throw new StreamError('the events of the stream are out of order');
      return this.#say(index, undefined, input);
    }
    const reasoning = asRecord(delta['reasoningContent']);
    return reasoning === undefined ? [] : this.#readReasoning(index, reasoning);
  }

  #readReasoning(index: unknown, reasoning: JsonRecord): StreamPart[] {
    const sealed = asText(reasoning['redactedContent']);
    if (sealed !== undefined)
      return this.#openAs(index, { type: 'reasoning', sealed: { protocol: NAME, value: sealed } });
    const text = asText(reasoning['text']);
    if (text !== undefined) return this.#say(index, { type: 'reasoning' }, text);
    const value = asText(reasoning['signature']) ?? '';
    if (value === '') return [];
    const before = this.#open.has(index) ? [] : this.#openAs(index, { type: 'reasoning' });
    const open = this.#open.get(index)?.index ?? 0;
    return [...before, { type: 'signature', index: open, signature: { protocol: NAME, value } }];
  }

  #say(index: unknown, block: BlockStart | undefined, text: string): StreamPart[] {
    const before = this.#open.has(index) || block === undefined ? [] : this.#openAs(index, block);
    const open = this.#open.get(index);
    if (open === undefined || text === '') return before;
    open.hasText = true;
    return [...before, { type: 'delta', index: open.index, text }];
  }

  #openAs(index: unknown, block: BlockStart): StreamPart[] {
    if (this.#open.has(index)) throw new StreamError('a block of the stream begins twice');
    const own = this.#blocks++;
    this.#open.set(index, { index: own, isCall: block.type === 'tool-call', hasText: false });
    return [{ type: 'block-start', index: own, block }];
  }

  #close(index: unknown): StreamPart[] {
    const open = this.#open.get(index);
    if (open === undefined) return [];
    this.#open.delete(index);
    this.#closed.add(index);
    const empty: StreamPart[] = open.isCall && !open.hasText ? [{ type: 'delta', index: open.index, text: '{}' }] : [];
    return [...empty, { type: 'block-end', index: open.index }];
  }

  #meter(data: JsonRecord): StreamPart[] {
    this.usage = readUsage(data['usage']) ?? this.usage;
    this.isDoubtful = isDoubtful(data['usage']);
    this.extras = readExtras(data) ?? this.extras;
    return this.#reason === undefined ? [] : this.#finish(this.#reason);
  }

  #finish(reason: FinishReason): StreamPart[] {
    this.#over = true;
    const ends = [...this.#open.keys()].flatMap((index) => this.#close(index));
    return [...ends, { type: 'finish', finish: { reason }, usage: this.usage }];
  }
}
