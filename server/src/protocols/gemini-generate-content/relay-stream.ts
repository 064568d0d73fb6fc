// Follows a stream whose client speaks the same protocol. There is no end marker: from the event that completes the answer
// on, events are held back until the upstream's own end.
import type { Extras, TokenUsage } from '../../neutral/usage.ts';
import { asCount, asList, asRecord, asText, type JsonRecord } from '../json/json-value.ts';
import { StreamError, type StreamReader, type UpstreamComplaint } from '../protocol.ts';
import { EVENT_CLOSE, EventAligner, eventsOf, type SseEvent } from '../stream/sse.ts';
import { readEvent } from './error.ts';
import { ReportedUsage } from './usage.ts';
import { ExtrasReader } from './server-tools.ts';

/** An image is that many tokens to the vendor; https://ai.google.dev/gemini-api/docs/pricing */
const TOKENS_PER_MEDIA = 1_290;
/** Events without content that may follow the end; an upstream that goes on for longer is not believed. */
const MAX_HELD = 100;

export class ContentStreamReader implements StreamReader {
  started = false;
  readonly ended = false;
  readonly #reported = new ReportedUsage();
  complaint: UpstreamComplaint | undefined;
  readonly #aligner = new EventAligner();
  readonly #finished = new Map<number, boolean>();
  readonly #extras = new ExtrasReader();
  #blocked = false;
  #held: Buffer[] = [];
  #textBytes = 0;
  #media = 0;

  get usage(): TokenUsage | undefined {
    return this.#reported.usage;
  }

  get isDoubtful(): boolean {
    return this.#reported.isDoubtful;
  }

  get last(): Buffer | undefined {
    return this.#held.length === 0 ? undefined : Buffer.concat(this.#held);
  }

  get outputPieces(): number {
    return Math.ceil(this.#textBytes / 4) + this.#media * TOKENS_PER_MEDIA;
  }

  get extras(): Extras | undefined {
    return this.#extras.extras;
  }

  push(chunk: Buffer): Buffer | undefined {
    const block = this.#aligner.push(chunk);
    if (block === undefined) return undefined;
    const events = eventsOf(block);
    const written = events.flatMap((event) => (this.complaint === undefined ? this.#take(event) : []));
    if (this.started && this.complaint === undefined) written.push(...this.#passRest(restOf(block, events)));
    return written.length === 0 ? undefined : Buffer.concat(written);
  }

  isComplete(): boolean {
    const { unfinished } = this.#aligner;
    if (unfinished.length > 0 && isWhole(unfinished)) {
      const written = this.push(EVENT_CLOSE);
      if (written !== undefined) this.#held.unshift(written);
    }
    return this.#isFinished() && this.complaint === undefined && this.#aligner.unfinished.length === 0;
  }

  /** Learns from one event; gives what the client gets now. */
  #take(event: SseEvent): Buffer[] {
    const content = readEvent(event);
    switch (content.type) {
      case 'comment':
        return this.started ? this.#pass(event, false) : []; // not worth an answer yet
      case 'unreadable':
        if (!this.started) throw new StreamError('the first event of the stream is not a JSON object');
        return this.#pass(event, false);
      case 'complaint':
        this.complaint = content.complaint;
        return [];
      case 'piece':
        this.started = true;
        return this.#pass(event, this.#learn(content.piece));
    }
  }

  /** Some upstreams call every piece the last one: content frees what was held before it. */
  #pass({ bytes }: SseEvent, hasContent: boolean): Buffer[] {
    const isOver = this.#isFinished();
    const freed = isOver && !hasContent && this.#held.length < MAX_HELD ? [] : this.#held;
    if (freed === this.#held) this.#held = [];
    if (!isOver) return [...freed, bytes];
    this.#held.push(bytes);
    return freed;
  }

  /** Line ends belong to the event before them: a line end may be cut in two. */
  #passRest(rest: Buffer): Buffer[] {
    if (rest.length === 0 || this.#held.length === 0) return rest.length === 0 ? [] : [rest];
    this.#held.push(rest);
    return [];
  }

  #isFinished(): boolean {
    return this.#blocked || (this.#finished.size > 0 && ![...this.#finished.values()].includes(false));
  }

  /** Says whether there was content in it. */
  #learn(piece: JsonRecord): boolean {
    this.#reported.add(piece['usageMetadata']);
    this.#extras.read(piece);
    if (asText(asRecord(piece['promptFeedback'])?.['blockReason']) !== undefined) this.#blocked = true;
    const before = this.#textBytes + this.#media;
    for (const one of asList(piece['candidates'])) {
      const candidate = asRecord(one) ?? {};
      const index = asCount(candidate['index']) ?? 0;
      const isFinished = asText(candidate['finishReason']) !== undefined;
      this.#finished.set(index, isFinished || this.#finished.get(index) === true);
      for (const part of asList(asRecord(candidate['content'])?.['parts'])) this.#count(asRecord(part) ?? {});
    }
    return this.#textBytes + this.#media > before;
  }

  #count(part: JsonRecord): void {
    if (spelt(part, 'inlineData', 'inline_data') !== undefined) this.#media++;
    const args = asRecord(spelt(part, 'functionCall', 'function_call')?.['args']);
    this.#textBytes += Buffer.byteLength(asText(part['text']) ?? '');
    if (args !== undefined) this.#textBytes += Buffer.byteLength(JSON.stringify(args));
    this.#textBytes += Buffer.byteLength(asText(spelt(part, 'executableCode', 'executable_code')?.['code']) ?? '');
  }
}

/** Upstreams answer under either spelling. */
function spelt(part: JsonRecord, name: string, other: string): JsonRecord | undefined {
  return asRecord(part[name]) ?? asRecord(part[other]);
}

/** What stands behind the last event. */
function restOf(block: Buffer, events: readonly SseEvent[]): Buffer {
  return block.subarray(events.reduce((end, { bytes }) => end + bytes.length, 0));
}

/** An event that only lacks its closing empty line; one that was cut is no JSON. */
function isWhole(unfinished: Buffer): boolean {
  const [event] = eventsOf(Buffer.concat([unfinished, EVENT_CLOSE]));
  const type = event === undefined ? 'unreadable' : readEvent(event).type;
  return type === 'piece' || type === 'complaint';
}
