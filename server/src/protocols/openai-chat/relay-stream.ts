// Follows a chat stream whose client speaks the same protocol. Blocks of whole events pass unread; only a block that may
// hold the first event, usage, an error or the end marker is looked into.
import type { Extras, TokenUsage } from '../../neutral/usage.ts';
import { parseObject } from '../json/json-value.ts';
import { StreamError, type StreamReader, type UpstreamComplaint } from '../protocol.ts';
import { countTextTokens } from '../stream/count-pieces.ts';
import { TextCounter } from '../stream/count-text.ts';
import { EVENT_CLOSE, EventAligner, eventsOf, isUnclosed, type SseEvent } from '../stream/sse.ts';
import { complaintOf } from './error.ts';
import { CHAT_TEXT, ReportedUsage } from './read-answer.ts';
import { extrasOf, URL_CITATION } from './read-extras.ts';

const DONE = '[DONE]';
const USAGE = '"usage"';
const ERROR = '"error"';
const FINISH = '"finish_reason"';
const NEEDS_A_LOOK = -1;
const END_MARKER = Buffer.from('data: [DONE]\n\n');

interface ChatChunk {
  service_tier?: unknown;
  choices?: unknown;
  usage?: unknown;
  error?: unknown;
}

export class ChatStreamReader implements StreamReader {
  started = false;
  ended = false;
  last = END_MARKER;
  complaint: UpstreamComplaint | undefined;
  readonly #reported = new ReportedUsage();
  readonly #text = new TextCounter(CHAT_TEXT);
  readonly #aligner = new EventAligner();
  readonly #showUsage: boolean;
  readonly #choices: number;
  #finishes = 0;
  /** The newest that was reported; with the first event and with the usage it stands in one that is looked into. */
  #serviceTier: unknown;
  #usage: unknown;
  #citesWeb = false;

  /** The usage chunk is always asked of the upstream, and shown only to a client that asked for it (contract 5). */
  constructor(showUsage: boolean, choices = 1) {
    this.#showUsage = showUsage;
    this.#choices = choices;
  }

  get usage(): TokenUsage | undefined {
    return this.#reported.usage;
  }

  get isDoubtful(): boolean {
    return this.#reported.isDoubtful;
  }

  /** Pieces of text; where few of them hold much, by its bytes instead, four to a token. */
  get outputPieces(): number {
    return countTextTokens(this.#text.pieces, this.#text.bytes);
  }

  get extras(): Extras | undefined {
    return extrasOf({ serviceTier: this.#serviceTier, usage: this.#usage, citesWeb: this.#citesWeb });
  }

  push(chunk: Buffer): Buffer | undefined {
    if (this.ended) return undefined;
    const block = this.#aligner.push(chunk);
    if (block === undefined) return undefined;
    const finishes = this.started ? skim(block) : NEEDS_A_LOOK;
    if (finishes === NEEDS_A_LOOK) return this.#look(block);
    this.#text.add(block);
    this.#finishes += finishes;
    return block;
  }

  isComplete(): boolean {
    if (!this.ended && isUnclosed(this.#aligner.unfinished, isWholeData)) {
      const written = this.push(EVENT_CLOSE);
      if (written !== undefined) this.last = Buffer.concat([written, END_MARKER]);
    }
    if (this.ended) return true;
    return this.#finishes >= this.#choices && this.#aligner.unfinished.length === 0 && this.complaint === undefined;
  }

  #look(block: Buffer): Buffer | undefined {
    const kept: Buffer[] = [];
    let whole = true;
    for (const event of eventsOf(block)) {
      if (this.ended || this.complaint !== undefined) whole = false;
      else if (this.#take(event)) kept.push(event.bytes);
      else whole = false;
    }
    if (kept.length === 0) return undefined;
    const bytes = whole ? block : Buffer.concat(kept);
    this.#finishes += countFinishes(bytes);
    return bytes;
  }

  /** Learns from one event; says whether the client gets it. */
  #take(event: SseEvent): boolean {
    if (event.data === undefined) return this.started; // comments before the first event are not worth an answer yet
    if (event.data.trim() === DONE) {
      if (!this.started) throw new StreamError('the stream ended before its first event');
      this.ended = true;
      return false;
    }
    const chunk: ChatChunk | undefined = parseObject(event.data);
    if (chunk === undefined) {
      if (!this.started) throw new StreamError('the first event of the stream is not a JSON object');
      this.#text.add(event.bytes);
      return true;
    }
    if (chunk.error !== undefined && chunk.error !== null && chunk.choices === undefined) {
      this.complaint = complaintOf(chunk);
      return false;
    }
    this.started = true;
    this.#serviceTier = chunk.service_tier ?? this.#serviceTier;
    this.#citesWeb ||= event.data.includes(URL_CITATION);
    if (chunk.usage !== undefined && chunk.usage !== null) {
      this.#reported.add(chunk.usage);
      this.#usage = chunk.usage;
      const onlyUsage = Array.isArray(chunk.choices) && chunk.choices.length === 0;
      if (onlyUsage) return this.#showUsage;
    }
    this.#text.add(event.bytes);
    return true;
  }
}

function isWholeData(data: string): boolean {
  return data.trim() === DONE || parseObject(data) !== undefined;
}

/**
 * How many finish reasons a block holds, unless it has to be looked into. A key inside a JSON string has its quotes escaped,
 * so these bytes are keys; `[DONE]` in text only costs a look. One walk over a block of the usual size takes a fraction of
 * what searching it for each of them would.
 */
function skim(block: Buffer): number {
  const { length } = block;
  let finishes = 0;
  for (let at = 0; at < length; at++) {
    const byte = block[at];
    if (byte === QUOTE) {
      const next = block[at + 1];
      // With usage asked for, every ordinary chunk says `"usage":null`.
      if (next === 0x75 && standsAt(block, at, USAGE) && valueStart(block, at + USAGE.length) !== LOWER_N)
        return NEEDS_A_LOOK;
      if (next === 0x75 && standsAt(block, at, URL_CITATION)) return NEEDS_A_LOOK;
      if (next === 0x65 && standsAt(block, at, ERROR)) return NEEDS_A_LOOK;
      if (next === 0x66 && standsAt(block, at, FINISH) && valueStart(block, at + FINISH.length) === QUOTE) finishes++;
    } else if (byte === OPEN_ARRAY && standsAt(block, at, DONE)) return NEEDS_A_LOOK;
  }
  return finishes;
}

function standsAt(block: Buffer, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) if (block[at + index] !== text.charCodeAt(index)) return false;
  return true;
}

/** Finish reasons that are a text: that many alternatives are complete, whether or not an end marker follows. */
function countFinishes(block: Buffer): number {
  let count = 0;
  for (let key = block.indexOf(FINISH); key !== -1; key = block.indexOf(FINISH, key + FINISH.length)) {
    if (valueStart(block, key + FINISH.length) === QUOTE) count++;
  }
  return count;
}

/** First byte of the value behind a key. */
function valueStart(block: Buffer, from: number): number | undefined {
  let position = from;
  while (block[position] === SPACE || block[position] === COLON) position++;
  return block[position];
}

const SPACE = 32;
const QUOTE = 34;
const COLON = 58;
const OPEN_ARRAY = 91;
const LOWER_N = 110;
