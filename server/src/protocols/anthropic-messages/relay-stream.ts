// Follows a stream whose client speaks the same protocol. Blocks of whole events pass unread; only one that may hold the
// first event, usage, the end or an error is looked into.
import type { Extras, TokenUsage } from '../../neutral/usage.ts';
import { type JsonRecord, asRecord, parseRecord } from '../json/json-value.ts';
import { StreamError, type StreamReader, type UpstreamComplaint } from '../protocol.ts';
import { countTextTokens } from '../stream/count-pieces.ts';
import { TextCounter } from '../stream/count-text.ts';
import { EVENT_CLOSE, EventAligner, eventName, eventsOf, isUnclosed, type SseEvent } from '../stream/sse.ts';
import { readStreamError, writeEvent } from './error.ts';
import { isDoubtful, mergeUsage, readUsage, reportsOutput } from './usage.ts';
import { readExtras } from './read-extras.ts';
import { DELTA_TEXT } from './wire.ts';

const DELTA = 'content_block_delta';
const END = Buffer.from(writeEvent({ type: 'message_stop' }));

export class MessagesStreamReader implements StreamReader {
  started = false;
  ended = false;
  last: Buffer | undefined;
  complaint: UpstreamComplaint | undefined;
  readonly #aligner = new EventAligner();
  #reported: JsonRecord = {};
  #outputIsReported = false;
  #stopped = false;
  readonly #text = new TextCounter(DELTA_TEXT);
  #sealedBytes = 0;

  /** An upstream packs several tokens into one event: its bytes count too, four to a token. Sealed thoughts are output as well. */
  get outputPieces(): number {
    return countTextTokens(this.#text.pieces, this.#text.bytes) + Math.ceil(this.#sealedBytes / 4);
  }

  /** The first event tells the input, but nothing of the output that is still to come. */
  get usage(): TokenUsage | undefined {
    const usage = readUsage(this.#reported);
    if (usage === undefined || this.#outputIsReported) return usage;
    return { ...usage, output: Math.max(usage.output, this.outputPieces) };
  }

  get isDoubtful(): boolean {
    return isDoubtful(this.#reported);
  }

  get extras(): Extras | undefined {
    return readExtras(this.#reported);
  }

  push(chunk: Buffer): Buffer | undefined {
    if (this.ended) return undefined;
    const block = this.#aligner.push(chunk);
    if (block === undefined) return undefined;
    if (!this.started || needsALook(block)) return this.#look(block);
    if (block.includes(DELTA)) this.#text.add(block);
    return block;
  }

  /** With the reason why the model stopped, everything was said; only the event that says so is missing. */
  isComplete(): boolean {
    const isWhole = (data: string): boolean => parseRecord(data) !== undefined;
    const isOpen = !this.ended && isUnclosed(this.#aligner.unfinished, isWhole);
    const written = isOpen ? this.push(EVENT_CLOSE) : undefined;
    if (this.ended) return true;
    if (!this.#stopped || this.complaint !== undefined || this.#aligner.unfinished.length > 0) return false;
    this.last = written === undefined ? END : Buffer.concat([written, END]);
    return true;
  }

  #look(block: Buffer): Buffer | undefined {
    const events = eventsOf(block);
    const kept = events.filter((event) => !this.ended && this.complaint === undefined && this.#take(event));
    if (kept.length === 0) return undefined;
    return kept.length === events.length ? block : Buffer.concat(kept.map(({ bytes }) => bytes));
  }

  /** Learns from one event; says whether the client gets it now. */
  #take(event: SseEvent): boolean {
    if (event.data === undefined) return this.started; // comments before the first event are not worth an answer yet
    const data = parseRecord(event.data);
    const type = data?.['type'] ?? eventName(event);
    if (type === 'error') {
      this.complaint = readStreamError(data);
      return false;
    }
    if (!this.started) {
      if (type === 'ping') return false;
      if (data === undefined || typeof type !== 'string') throw new StreamError('the stream is not one of messages');
      this.started = true;
    }
    if (type === DELTA) this.#text.add(event.bytes);
    if (data !== undefined) this.#learn(type, data);
    if (type === 'content_block_start') this.#countSealed(data?.['content_block']);
    if (type !== 'message_stop') return true;
    this.ended = true;
    this.last = event.bytes;
    return false;
  }

  #learn(type: unknown, data: JsonRecord): void {
    if (type === 'message_start') this.#reported = mergeUsage(this.#reported, asRecord(data['message'])?.['usage']);
    if (type !== 'message_delta') return;
    this.#reported = mergeUsage(this.#reported, data['usage']);
    this.#outputIsReported ||= reportsOutput(data['usage']);
    this.#stopped ||= typeof asRecord(data['delta'])?.['stop_reason'] === 'string';
  }

  #countSealed(block: unknown): void {
    const { type, data } = asRecord(block) ?? {};
    if (type === 'redacted_thinking' && typeof data === 'string') this.#sealedBytes += data.length;
  }
}

/** `message_start`, `message_delta`, `message_stop`, `error` and sealed thoughts; the same bytes inside a text only cost a look. */
function needsALook(block: Buffer): boolean {
  return (
    block.includes('message_') ||
    block.includes('error"') ||
    block.includes('event: error') ||
    block.includes('"redacted_thinking"')
  );
}
