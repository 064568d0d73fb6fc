// A chat stream as parts, for callers of another protocol.
import type { FinishReason } from '../../../neutral/finish-reason.ts';
import type { BlockStart, StreamPart } from '../../../neutral/stream-part.ts';
import type { TokenUsage } from '../../../neutral/usage.ts';
import { asCount, asList, asRecord, asText, type JsonRecord, parseRecord } from '../../json-value.ts';
import { StreamError } from '../../protocol.ts';
import type { SseEvent } from '../../sse.ts';
import type { PartsReader } from '../../text-protocol.ts';
import { complaintOf } from '../error.ts';
import { readFinishReason } from '../finish-reason.ts';
import { readAnnotation } from './read-result.ts';
import { readTokenUsage } from '../read-usage.ts';

export class ChatPartsReader implements PartsReader {
  #id: string | undefined;
  #started = false;
  #ended = false;
  #reason: FinishReason | undefined;
  #refused = false;
  #usage: TokenUsage | undefined;
  #blocks = 0;
  /** The block under way. Upstreams say one after the other. */
  #open: { index: number; key: string } | undefined;
  readonly #closed = new Set<string>();

  push({ data }: SseEvent): StreamPart[] {
    if (data === undefined || this.#ended) return [];
    if (data.trim() === '[DONE]') return this.#reason === undefined ? [] : this.#finish();
    const chunk = parseRecord(data);
    if (chunk === undefined) {
      if (this.#started) return [];
      throw new StreamError('the first event of the stream is not a JSON object');
    }
    if (chunk['error'] !== undefined && chunk['error'] !== null && chunk['choices'] === undefined) {
      const { message = 'The provider reported an error.', code } = complaintOf(chunk);
      return [{ type: 'error', message, code }];
    }
    return this.#read(chunk);
  }

  end(): StreamPart[] {
    return this.#reason === undefined || this.#ended ? [] : this.#finish();
  }

  #read(chunk: JsonRecord): StreamPart[] {
    const parts: StreamPart[] = [];
    if (!this.#started) {
      this.#started = true;
      this.#id = asText(chunk['id']);
      parts.push({ type: 'start', id: this.#id });
    }
    if (asRecord(chunk['usage']) !== undefined) this.#usage = readTokenUsage(chunk['usage']) ?? this.#usage;
    for (const one of asList(chunk['choices'])) {
      const choice = asRecord(one) ?? {};
      if ((choice['index'] ?? 0) !== 0) continue;
      this.#readDelta(asRecord(choice['delta']) ?? {}, parts);
      const reason = asText(choice['finish_reason']);
      if (reason !== undefined) this.#reason = readFinishReason(reason);
    }
    return parts;
  }

  #readDelta(delta: JsonRecord, parts: StreamPart[]): void {
    const reasoning = asText(delta['reasoning_content']) ?? asText(delta['reasoning']) ?? '';
    if (reasoning !== '') this.#say('reasoning', { type: 'reasoning' }, reasoning, parts);
    const text = asText(delta['content']) ?? '';
    if (text !== '') this.#say('text', { type: 'text' }, text, parts);
    const refusal = asText(delta['refusal']) ?? '';
    if (refusal !== '') {
      this.#refused = true;
      this.#say('refusal', { type: 'refusal' }, refusal, parts);
    }
    for (const citation of asList(delta['annotations']).flatMap(readAnnotation)) {
      if (this.#open?.key === 'text') parts.push({ type: 'citation', index: this.#open.index, citation });
    }
    for (const call of asList(delta['tool_calls'])) this.#readToolCall(asRecord(call) ?? {}, parts);
  }

  #readToolCall(wire: JsonRecord, parts: StreamPart[]): void {
    const position = asCount(wire['index']) ?? 0;
    const key = `tool ${position}`;
    if (this.#closed.has(key)) throw new StreamError('the tool calls of the stream are interleaved');
    const called = asRecord(wire['function']) ?? {};
    const id = asText(wire['id']) || `call_${this.#id ?? ''}_${position}`;
    this.#say(
      key,
      { type: 'tool-call', id, name: asText(called['name']) ?? '' },
      asText(called['arguments']) ?? '',
      parts,
    );
  }

  #say(key: string, block: BlockStart, text: string, parts: StreamPart[]): void {
    if (this.#open?.key !== key) {
      this.#close(parts);
      this.#open = { index: this.#blocks++, key };
      parts.push({ type: 'block-start', index: this.#open.index, block });
    }
    if (text !== '') parts.push({ type: 'delta', index: this.#open.index, text });
  }

  #close(parts: StreamPart[]): void {
    if (this.#open === undefined) return;
    parts.push({ type: 'block-end', index: this.#open.index });
    if (this.#open.key.startsWith('tool')) this.#closed.add(this.#open.key);
    this.#open = undefined;
  }

  #finish(): StreamPart[] {
    this.#ended = true;
    const parts: StreamPart[] = [];
    this.#close(parts);
    const reason = this.#refused && this.#reason === 'stop' ? 'refusal' : (this.#reason ?? 'stop');
    return [...parts, { type: 'finish', finish: { reason }, usage: this.#usage }];
  }
}
