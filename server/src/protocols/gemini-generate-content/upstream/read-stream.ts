// A generate-content stream as parts, for callers of another protocol. It ends with the upstream's answer, not with an
// event.
import type { Signature } from '../../../neutral/conversation.ts';
import type { BlockStart, StreamPart } from '../../../neutral/stream-part.ts';
import type { Extras, TokenUsage } from '../../../neutral/usage.ts';
import { asList, asRecord, asText, type JsonRecord } from '../../json/json-value.ts';
import { StreamError } from '../../protocol.ts';
import type { SseEvent } from '../../stream/sse.ts';
import type { PartsReader } from '../../text-protocol.ts';
import { readCitations } from '../citations.ts';
import { readEvent } from '../error.ts';
import { readFinishReason } from '../finish-reason.ts';
import { ExtrasReader } from '../server-tools.ts';
import { ReportedUsage } from '../usage.ts';
import { NAME } from '../wire.ts';

export class ContentPartsReader implements PartsReader {
  readonly #reported = new ReportedUsage();
  readonly #extras = new ExtrasReader();
  #started = false;
  #reason: string | undefined;
  #blocks = 0;
  #calls = 0;
  /** The text or reasoning under way, and what it has said. */
  #open: { type: 'text' | 'reasoning'; index: number; text: string } | undefined;
  #showsThoughts = false;
  /** The proof of plain text, which has no place there: it follows as reasoning without words. */
  #signature: Signature | undefined;
  readonly #cited = new Set<string>();

  get usage(): TokenUsage | undefined {
    return this.#reported.usage;
  }

  get isDoubtful(): boolean {
    return this.#reported.isDoubtful;
  }

  /** It has not been said why the model stopped. */
  get isUnfinished(): boolean {
    return this.#reason === undefined;
  }

  get extras(): Extras | undefined {
    return this.#extras.extras;
  }

  push(event: SseEvent): StreamPart[] {
    const content = readEvent(event);
    switch (content.type) {
      case 'complaint': {
        const { message = 'The provider reported an error.', code } = content.complaint;
        return [{ type: 'error', message, code }];
      }
      case 'piece':
        return this.read(content.piece);
      case 'unreadable':
        if (!this.#started) throw new StreamError('the first event of the stream is not a JSON object');
        return [];
      case 'comment':
        return [];
    }
  }

  /** One piece of the answer, or all of it. */
  read(piece: JsonRecord): StreamPart[] {
    const parts: StreamPart[] = [];
    this.#reported.add(piece['usageMetadata']);
    this.#extras.read(piece);
    if (!this.#started) {
      this.#started = true;
      parts.push({ type: 'start', id: asText(piece['responseId']), usage: this.usage });
    }
    if (asText(asRecord(piece['promptFeedback'])?.['blockReason']) !== undefined) this.#reason ??= 'PROHIBITED_CONTENT';
    const candidate = asList(piece['candidates'])
      .map(asRecord)
      .find((one) => (one?.['index'] ?? 0) === 0);
    if (candidate === undefined) return parts;
    for (const part of asList(asRecord(candidate['content'])?.['parts'])) this.#readPart(asRecord(part) ?? {}, parts);
    this.#cite(candidate, parts);
    this.#reason = asText(candidate['finishReason']) ?? this.#reason;
    return parts;
  }

  end(): StreamPart[] {
    if (this.#reason === undefined) return [];
    const parts: StreamPart[] = [];
    this.#close(parts);
    const reason = readFinishReason(this.#reason, this.#calls > 0);
    return [...parts, { type: 'finish', finish: { reason }, usage: this.usage }];
  }

  #readPart(part: JsonRecord, parts: StreamPart[]): void {
    const reported = asText(part['thoughtSignature']) ?? '';
    const signature = reported === '' ? undefined : { protocol: NAME, value: reported };
    const call = asRecord(part['functionCall']);
    if (call !== undefined) return this.#readCall(call, signature, parts);
    if (part['thought'] !== true) this.#readPicture(part, parts);
    const text = asText(part['text']);
    if (text === undefined && signature === undefined) return;
    if (part['thought'] === true) return this.#readThought(text ?? '', signature, parts);
    if (text !== undefined && text !== '') this.#say('text', text, parts);
    // The vendor can do without it, and a client that sees no thoughts does not expect one.
    if (signature === undefined || !this.#showsThoughts) return;
    this.#prove(parts);
    this.#signature = signature;
  }

  #readPicture(part: JsonRecord, parts: StreamPart[]): void {
    const inline = asRecord(part['inlineData']) ?? asRecord(part['inline_data']);
    const [data, mediaType] = [asText(inline?.['data']), asText(inline?.['mimeType'] ?? inline?.['mime_type'])];
    if (data === undefined || data === '' || mediaType?.startsWith('image/') !== true) return;
    this.#close(parts);
    parts.push({ type: 'picture', index: this.#blocks++, picture: { data, mediaType } });
  }

  /** A signature closes the thoughts that it proves. */
  #readThought(text: string, signature: Signature | undefined, parts: StreamPart[]): void {
    this.#showsThoughts = true;
    if (text !== '' || signature !== undefined) this.#say('reasoning', text, parts);
    if (signature === undefined || this.#open === undefined) return;
    parts.push({ type: 'signature', index: this.#open.index, signature });
    this.#close(parts);
  }

  #readCall(call: JsonRecord, signature: Signature | undefined, parts: StreamPart[]): void {
    const name = asText(call['name']) ?? '';
    if (name === '') return;
    this.#close(parts);
    this.#calls++;
    const index = this.#begin({ type: 'tool-call', id: asText(call['id']) ?? '', name }, parts);
    if (signature !== undefined) parts.push({ type: 'signature', index, signature });
    parts.push(
      { type: 'delta', index, text: JSON.stringify(asRecord(call['args']) ?? {}) },
      { type: 'block-end', index },
    );
  }

  #cite(candidate: JsonRecord, parts: StreamPart[]): void {
    if (this.#open?.type !== 'text') return;
    for (const citation of readCitations(candidate, this.#open.text)) {
      const key = JSON.stringify(citation);
      if (this.#cited.has(key)) continue; // said again with every piece
      this.#cited.add(key);
      parts.push({ type: 'citation', index: this.#open.index, citation });
    }
  }

  #say(type: 'text' | 'reasoning', text: string, parts: StreamPart[]): void {
    if (this.#open?.type !== type) {
      this.#close(parts);
      this.#open = { type, index: this.#begin({ type }, parts), text: '' };
    }
    this.#open.text += text;
    if (text !== '') parts.push({ type: 'delta', index: this.#open.index, text });
  }

  #begin(block: BlockStart, parts: StreamPart[]): number {
    const index = this.#blocks++;
    parts.push({ type: 'block-start', index, block });
    return index;
  }

  #close(parts: StreamPart[]): void {
    if (this.#open !== undefined) parts.push({ type: 'block-end', index: this.#open.index });
    this.#open = undefined;
    this.#prove(parts);
  }

  #prove(parts: StreamPart[]): void {
    const signature = this.#signature;
    if (signature === undefined) return;
    this.#signature = undefined;
    this.#close(parts);
    const index = this.#begin({ type: 'reasoning' }, parts);
    parts.push({ type: 'signature', index, signature }, { type: 'block-end', index });
  }
}
