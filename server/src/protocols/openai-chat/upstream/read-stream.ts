// A chat stream as parts, for callers of another protocol.
import type { BlockStart, StreamPart } from '../../../neutral/stream-part.ts';
import type { Extras, TokenUsage } from '../../../neutral/usage.ts';
import { asList, asRecord, asText, type JsonRecord, parseRecord } from '../../json/json-value.ts';
import { StreamError } from '../../protocol.ts';
import type { SseEvent } from '../../stream/sse.ts';
import type { PartsReader } from '../../text-protocol.ts';
import { complaintOf } from '../error.ts';
import { readFinishReason } from '../finish-reason.ts';
import { readReasoningDetails, type ReasoningDetail } from '../reasoning-details.ts';
import { ReportedUsage } from '../read-answer.ts';
import { extrasOf } from '../read-extras.ts';
import { CallReader } from './call-reader.ts';
import { ownSignature } from './own-signature.ts';
import { plainReasoning, readAnnotation, textOf } from './read-result.ts';

type Saying = 'reasoning' | 'text' | 'refusal';

export class ChatPartsReader implements PartsReader {
  readonly #reported = new ReportedUsage();
  #serviceTier: unknown;
  #rawUsage: unknown;
  #citesWeb = false;
  #started = false;
  #ended = false;
  #reason: string | undefined;
  #refuses = false;
  /** Reasoning comes as plain text, so that what the details say of it is the same once more. */
  #reasonsPlainly = false;
  #blocks = 0;
  /** What is being said; one thing after the other. */
  #open: { index: number; type: Saying } | undefined;
  readonly #calls = new CallReader(() => this.#blocks++);
  readonly #deltaOf: (choice: JsonRecord) => JsonRecord;

  /** `deltaOf` finds what a choice adds, for streams that have the same frame around something else. */
  constructor(deltaOf = (choice: JsonRecord): JsonRecord => asRecord(choice['delta']) ?? {}) {
    this.#deltaOf = deltaOf;
  }

  get usage(): TokenUsage | undefined {
    return this.#reported.usage;
  }

  get isDoubtful(): boolean {
    return this.#reported.isDoubtful;
  }

  get extras(): Extras | undefined {
    return extrasOf({ serviceTier: this.#serviceTier, usage: this.#rawUsage, citesWeb: this.#citesWeb });
  }

  push({ data }: SseEvent): StreamPart[] {
    if (data === undefined || this.#ended) return [];
    if (data.trim() === '[DONE]') return this.#done();
    const chunk = parseRecord(data);
    if (chunk === undefined) {
      if (this.#started) return [];
      throw new StreamError('the first event of the stream is not a JSON object');
    }
    if (chunk['error'] !== undefined && chunk['error'] !== null) {
      this.#ended = true;
      const { message = 'The provider reported an error.', code } = complaintOf(chunk);
      return [{ type: 'error', message, code }];
    }
    return this.#read(chunk);
  }

  end(): StreamPart[] {
    return this.#reason === undefined || this.#ended ? [] : this.#finish();
  }

  #done(): StreamPart[] {
    if (!this.#started) throw new StreamError('the stream ended before its first event');
    return this.#finish();
  }

  #read(chunk: JsonRecord): StreamPart[] {
    const parts: StreamPart[] = [];
    if (!this.#started) {
      this.#started = true;
      parts.push({ type: 'start', id: asText(chunk['id']) });
    }
    if (asRecord(chunk['usage']) !== undefined) this.#reported.add(chunk['usage']);
    this.#serviceTier = chunk['service_tier'] ?? this.#serviceTier;
    this.#rawUsage = chunk['usage'] ?? this.#rawUsage;
    for (const one of asList(chunk['choices'])) {
      const choice = asRecord(one) ?? {};
      if ((choice['index'] ?? 0) !== 0) continue;
      this.#readDelta(this.#deltaOf(choice), parts);
      this.#reason = asText(choice['finish_reason']) ?? this.#reason;
    }
    return parts;
  }

  #readDelta(delta: JsonRecord, parts: StreamPart[]): void {
    this.#readReasoning(delta, parts);
    this.#say('text', textOf(delta['content']), parts);
    this.#say('refusal', asText(delta['refusal']) ?? '', parts);
    for (const citation of asList(delta['annotations']).flatMap(readAnnotation)) {
      this.#citesWeb = true;
      if (this.#open?.type === 'text') parts.push({ type: 'citation', index: this.#open.index, citation });
    }
    for (const call of asList(delta['tool_calls'])) {
      const read = this.#calls.read(asRecord(call) ?? {});
      if (read.some((part) => part.type === 'block-start')) this.#close(parts);
      parts.push(...read);
    }
  }

  #readReasoning(delta: JsonRecord, parts: StreamPart[]): void {
    const plain = plainReasoning(delta);
    this.#reasonsPlainly ||= plain !== '';
    this.#say('reasoning', plain, parts);
    for (const detail of readReasoningDetails(delta['reasoning_details'])) this.#readDetail(detail, parts);
  }

  #readDetail({ text, signature, data }: ReasoningDetail, parts: StreamPart[]): void {
    if (data !== undefined) {
      this.#begin({ type: 'reasoning', sealed: ownSignature(data) }, parts);
      this.#close(parts);
      return;
    }
    if (!this.#reasonsPlainly) this.#say('reasoning', text, parts);
    if (signature === undefined) return;
    if (this.#open?.type !== 'reasoning') this.#begin({ type: 'reasoning' }, parts);
    parts.push({ type: 'signature', index: this.#open?.index ?? 0, signature: ownSignature(signature) });
    this.#close(parts);
  }

  #say(type: Saying, text: string, parts: StreamPart[]): void {
    if (text === '') return;
    this.#refuses ||= type === 'refusal';
    if (this.#open?.type !== type) this.#begin({ type }, parts);
    parts.push({ type: 'delta', index: this.#open?.index ?? 0, text });
  }

  #begin(block: Extract<BlockStart, { type: Saying }>, parts: StreamPart[]): void {
    this.#close(parts);
    parts.push(...this.#calls.endComplete());
    this.#open = { index: this.#blocks++, type: block.type };
    parts.push({ type: 'block-start', index: this.#open.index, block });
  }

  #close(parts: StreamPart[]): void {
    if (this.#open !== undefined) parts.push({ type: 'block-end', index: this.#open.index });
    this.#open = undefined;
  }

  #finish(): StreamPart[] {
    this.#ended = true;
    const parts: StreamPart[] = [];
    this.#close(parts);
    parts.push(...this.#calls.endAll());
    const shown = { callsTools: this.#calls.count > 0, refuses: this.#refuses };
    return [...parts, { type: 'finish', finish: { reason: readFinishReason(this.#reason, shown) }, usage: this.usage }];
  }
}
