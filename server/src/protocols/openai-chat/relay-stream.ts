// Follows a chat stream whose client speaks the same protocol. Blocks of whole events pass unread; only a block that may
// hold the first event, usage, an error or the end marker is looked into.
import type { TokenUsage } from '../../neutral/usage.ts';
import { StreamError, type StreamReader, type UpstreamComplaint } from '../protocol.ts';
import { EventAligner, eventsOf, type SseEvent } from '../sse.ts';
import { complaintOf } from './error.ts';
import { readTokenUsage } from './read-usage.ts';

const DONE = '[DONE]';
/** How much of the stream's end is kept to see whether a stream without end marker had finished. */
const TAIL_BLOCKS = 3;

interface ChatChunk {
  choices?: unknown;
  usage?: unknown;
  error?: unknown;
}

export class ChatStreamReader implements StreamReader {
  started = false;
  ended = false;
  usage: TokenUsage | undefined;
  complaint: UpstreamComplaint | undefined;
  #pieces = 0;
  readonly #aligner = new EventAligner();
  readonly #showUsage: boolean;
  #tail: Buffer[] = [];

  /** The usage chunk is always asked of the upstream, and shown only to a client that asked for it (contract 5). */
  constructor(showUsage: boolean) {
    this.#showUsage = showUsage;
  }

  /** The first event carries the role, not output. */
  get outputPieces(): number {
    return Math.max(0, this.#pieces - 1);
  }

  push(chunk: Buffer): Buffer | undefined {
    if (this.ended) return undefined;
    const block = this.#aligner.push(chunk);
    if (block === undefined) return undefined;
    if (!this.started || needsALook(block)) return this.#look(block);
    this.#pieces += countEvents(block);
    this.#remember(block);
    return block;
  }

  isComplete(): boolean {
    if (this.ended) return true;
    if (this.#aligner.unfinished.length > 0 || this.complaint !== undefined) return false;
    return this.#tail.some((block) => /"finish_reason"\s*:\s*"/.test(block.toString('latin1')));
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
    this.#remember(bytes);
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
    const chunk = parseChunk(event.data);
    if (chunk.error !== undefined && chunk.error !== null && chunk.choices === undefined) {
      this.complaint = complaintOf(chunk);
      return false;
    }
    this.started = true;
    if (chunk.usage !== undefined && chunk.usage !== null) {
      this.usage = readTokenUsage(chunk.usage) ?? this.usage;
      const onlyUsage = Array.isArray(chunk.choices) && chunk.choices.length === 0;
      if (onlyUsage) return this.#showUsage;
    }
    this.#pieces++;
    return true;
  }

  #remember(block: Buffer): void {
    this.#tail.push(block);
    if (this.#tail.length > TAIL_BLOCKS) this.#tail.shift();
  }
}

function parseChunk(data: string): ChatChunk {
  try {
    const chunk: unknown = JSON.parse(data);
    if (typeof chunk === 'object' && chunk !== null) return chunk;
  } catch {
    // told below
  }
  throw new StreamError('an event of the stream is not a JSON object');
}

/** A key inside a JSON string has its quotes escaped, so these bytes are keys; `[DONE]` in text only costs a look. */
function needsALook(block: Buffer): boolean {
  const usage = block.indexOf('"usage"');
  if (usage !== -1 && !usageIsNull(block, usage)) return true;
  return block.includes(DONE) || block.includes('"error"');
}

/** With usage asked for, every ordinary chunk says `"usage":null`. */
function usageIsNull(block: Buffer, at: number): boolean {
  const next = block.indexOf('"usage"', at + 7);
  if (next !== -1 && !usageIsNull(block, next)) return false;
  let position = at + 7;
  while (block[position] === 32 || block[position] === 58) position++; // space, colon
  return block[position] === 110; // n
}

function countEvents(block: Buffer): number {
  let count = 0;
  for (let at = block.indexOf('data:'); at !== -1; at = block.indexOf('data:', at + 5)) {
    if (at === 0 || block[at - 1] === 10 || block[at - 1] === 13) count++;
  }
  return count;
}
