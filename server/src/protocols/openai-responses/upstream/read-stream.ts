// A responses stream as parts, for callers of another protocol.
import type { BlockStart, StreamPart } from '../../../neutral/stream-part.ts';
import { asRecord, asText, type JsonRecord, parseRecord } from '../../json-value.ts';
import { complaintOf } from '../../openai-chat/error.ts';
import { StreamError } from '../../protocol.ts';
import { eventName, type SseEvent } from '../../sse.ts';
import type { PartsReader } from '../../text-protocol.ts';
import { readFinishReason } from '../finish-reason.ts';
import { readResponseUsage } from '../read-answer.ts';
import { readAnnotation, readReasoningItem } from './read-result.ts';
import { endEvents, failureEvents } from '../wire.ts';

interface Block {
  index: number;
  /** How much of its text has been told. */
  told: string;
  isOpen: boolean;
}

export class ResponsesPartsReader implements PartsReader {
  #started = false;
  readonly #blocks = new Map<string, Block>();

  push(event: SseEvent): StreamPart[] {
    if (event.data === undefined || event.data.trim() === '[DONE]') return [];
    const wire = parseRecord(event.data);
    if (wire === undefined) {
      if (this.#started) return [];
      throw new StreamError('the first event of the stream is not a JSON object');
    }
    const type = asText(wire['type']) ?? eventName(event) ?? '';
    if (failureEvents.includes(type)) {
      const complaint = complaintOf(wire['response'] ?? { ...wire, type: undefined });
      return [{ type: 'error', message: complaint.message ?? 'The provider reported an error.', code: complaint.code }];
    }
    const parts: StreamPart[] = [];
    if (!this.#started) {
      this.#started = true;
      parts.push({ type: 'start', id: asText(asRecord(wire['response'])?.['id']) });
    }
    if (endEvents.includes(type)) this.#finish(asRecord(wire['response']) ?? {}, parts);
    else this.#read(type, wire, parts);
    return parts;
  }

  /** Only the protocol's own events end it. */
  end(): StreamPart[] {
    return [];
  }

  #read(type: string, wire: JsonRecord, parts: StreamPart[]): void {
    const item = String(wire['output_index'] ?? 0);
    const place = `${item}/${String(wire['content_index'] ?? 0)}`;
    switch (type) {
      case 'response.output_text.delta':
        return this.#say(place, { type: 'text' }, asText(wire['delta']), parts);
      case 'response.refusal.delta':
        return this.#say(place, { type: 'refusal' }, asText(wire['delta']), parts);
      case 'response.output_text.annotation.added':
        return this.#cite(place, wire['annotation'], parts);
      case 'response.output_text.done':
      case 'response.refusal.done':
        return this.#close(place, asText(wire['text']) ?? asText(wire['refusal']), parts);
      case 'response.function_call_arguments.delta':
        return this.#say(item, undefined, asText(wire['delta']), parts);
      case 'response.reasoning_summary_part.added':
        if (this.#blocks.has(item)) this.#say(item, { type: 'reasoning' }, '\n\n', parts);
        return;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return this.#say(item, { type: 'reasoning' }, asText(wire['delta']), parts);
      case 'response.output_item.added':
        return this.#beginItem(item, asRecord(wire['item']) ?? {}, parts);
      case 'response.output_item.done':
        return this.#endItem(item, asRecord(wire['item']) ?? {}, parts);
    }
  }

  #beginItem(key: string, item: JsonRecord, parts: StreamPart[]): void {
    if (item['type'] === 'function_call') this.#say(key, callOf(item), '', parts);
  }

  /** Says what the deltas did not, if the upstream sent none. */
  #endItem(key: string, item: JsonRecord, parts: StreamPart[]): void {
    if (item['type'] === 'function_call') {
      this.#say(key, callOf(item), '', parts);
      this.#close(key, asText(item['arguments']), parts);
    }
    if (item['type'] === 'reasoning') {
      const { text, signature } = readReasoningItem(item);
      if (text === '' && signature === undefined && !this.#blocks.has(key)) return;
      this.#say(key, { type: 'reasoning' }, '', parts);
      const block = this.#blocks.get(key);
      if (signature !== undefined && block !== undefined)
        parts.push({ type: 'signature', index: block.index, signature });
      this.#close(key, text, parts);
    }
    for (const [place, block] of this.#blocks) {
      if (block.isOpen && place.startsWith(`${key}/`)) this.#close(place, undefined, parts);
    }
  }

  #say(key: string, start: BlockStart | undefined, text: string | undefined, parts: StreamPart[]): void {
    let block = this.#blocks.get(key);
    if (block === undefined) {
      if (start === undefined) return;
      block = { index: this.#blocks.size, told: '', isOpen: true };
      this.#blocks.set(key, block);
      parts.push({ type: 'block-start', index: block.index, block: start });
    }
    if (text === undefined || text === '' || !block.isOpen) return;
    block.told += text;
    parts.push({ type: 'delta', index: block.index, text });
  }

  #cite(key: string, annotation: unknown, parts: StreamPart[]): void {
    const block = this.#blocks.get(key);
    if (block === undefined) return;
    for (const citation of readAnnotation(annotation)) parts.push({ type: 'citation', index: block.index, citation });
  }

  #close(key: string, whole: string | undefined, parts: StreamPart[]): void {
    const block = this.#blocks.get(key);
    if (block === undefined || !block.isOpen) return;
    if (whole !== undefined && block.told === '' && whole !== '') this.#say(key, undefined, whole, parts);
    block.isOpen = false;
    parts.push({ type: 'block-end', index: block.index });
  }

  #finish(response: JsonRecord, parts: StreamPart[]): void {
    for (const key of this.#blocks.keys()) this.#close(key, undefined, parts);
    const finish = { reason: readFinishReason(response) };
    parts.push({ type: 'finish', finish, usage: readResponseUsage(response['usage']) });
  }
}

function callOf(item: JsonRecord): BlockStart {
  return {
    type: 'tool-call',
    id: asText(item['call_id']) ?? asText(item['id']) ?? '',
    name: asText(item['name']) ?? '',
  };
}
