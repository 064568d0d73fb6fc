// Follows a stream of typed events (`event: name` or `"type":"name"` in the data) that ends with one of its own events
// instead of a marker: responses, images, speech, transcripts. Blocks pass unread unless they may hold the end or an error.
import type { Extras, TokenUsage } from '../../neutral/usage.ts';
import { PieceCounter } from './count-pieces.ts';
import { countText } from './count-text.ts';
import { parseObject } from '../json/json-value.ts';
import { StreamError, type StreamReader, type UpstreamComplaint } from '../protocol.ts';
import { EVENT_CLOSE, EventAligner, eventName, eventsOf, type SseEvent } from './sse.ts';
import { addUses, usesOrNone } from './tool-uses.ts';

export interface TypedStream {
  /** Where the data names the type of its event. */
  typeField?: string;
  /** Types of events that end the stream well; their bytes are held back until the money is settled. */
  ends: readonly string[];
  /** Types of events that end it badly. */
  failures: readonly string[];
  /** Events that end it badly although their type may end it well. */
  isFailure?(event: Record<string, unknown>): boolean;
  /** Types that are pieces of output; counted when nobody tells the usage. */
  pieces: readonly string[];
  /** The field that holds a piece's output, where its size matters. */
  field?: string;
  /** The field of a finished item that holds output which nobody may read. */
  sealed?: { type: string; field: string };
  /** Tokens in so many pieces with so many bytes in that field. */
  countTokens(pieces: number, bytes: number): number;
  readUsage(event: Record<string, unknown>): TokenUsage | undefined;
  /** Usage that is reported there, but cannot be. */
  isDoubtful?(event: Record<string, unknown>): boolean;
  /** What the event that ends it reports beside its tokens. */
  readExtras?(event: Record<string, unknown>): Extras | undefined;
  /** Events that report the use of a tool on the way, for a stream that breaks off. */
  use?: { mark: string; nameOf(event: Record<string, unknown>): string | undefined };
  readComplaint(event: Record<string, unknown>): UpstreamComplaint;
}

export class TypedEventReader implements StreamReader {
  started = false;
  ended = false;
  last: Buffer | undefined;
  usage: TokenUsage | undefined;
  isDoubtful = false;
  complaint: UpstreamComplaint | undefined;
  #extras: Extras | undefined;
  readonly #uses: Record<string, number> = {};
  readonly #stream: TypedStream;
  readonly #counter: PieceCounter;
  readonly #aligner = new EventAligner();
  #sealedBytes = 0;

  constructor(stream: TypedStream) {
    this.#stream = stream;
    this.#counter = new PieceCounter(stream.field);
  }

  get extras(): Extras | undefined {
    if (this.#extras !== undefined) return this.#extras;
    const toolUses = usesOrNone(this.#uses);
    return toolUses === undefined ? undefined : { toolUses };
  }

  get outputPieces(): number {
    const shown = this.#stream.countTokens(this.#counter.pieces, this.#counter.bytes);
    return shown + Math.ceil(this.#sealedBytes / 4);
  }

  push(chunk: Buffer): Buffer | undefined {
    if (this.ended) return undefined;
    const block = this.#aligner.push(chunk);
    if (block === undefined) return undefined;
    this.#countSealed(block);
    if (!this.started || this.#needsALook(block)) return this.#look(block);
    if (this.#stream.pieces.some((type) => block.includes(type))) this.#counter.add(block);
    return block;
  }

  /** Only the events named as ends end it. */
  isComplete(): boolean {
    if (endsUnclosed(this.#aligner.unfinished, this.#stream)) this.push(EVENT_CLOSE);
    return this.ended;
  }

  #countSealed(block: Buffer): void {
    const { sealed } = this.#stream;
    if (sealed === undefined || !block.includes(sealed.type)) return;
    // The event that ends the stream may stand in the same block and repeats every item.
    for (const { bytes } of eventsOf(block))
      if (bytes.includes(sealed.type)) this.#sealedBytes += countText(bytes, { each: { [sealed.field]: 'text' } });
  }

  #needsALook(block: Buffer): boolean {
    const { ends, failures, use } = this.#stream;
    if (use !== undefined && block.includes(use.mark)) return true;
    return ends.some((type) => block.includes(type)) || failures.some((type) => block.includes(type));
  }

  #look(block: Buffer): Buffer | undefined {
    const events = eventsOf(block);
    const kept = events.filter((event) => !this.ended && this.complaint === undefined && this.#take(event));
    if (kept.length === 0) return undefined;
    return kept.length === events.length ? block : Buffer.concat(kept.map((event) => event.bytes));
  }

  /** Learns from one event; says whether the client gets it now. */
  #take(event: SseEvent): boolean {
    if (event.data === undefined) return this.started;
    const data = parseObject(event.data);
    if (data === undefined) {
      if (!this.started) throw new StreamError('the first event of the stream is not a JSON object');
      return true;
    }
    const type = typeOf(event, data, this.#stream.typeField);
    if (this.#stream.failures.includes(type) || this.#stream.isFailure?.(data) === true) {
      this.complaint = this.#stream.readComplaint(data);
      return false;
    }
    this.started = true;
    if (this.#stream.ends.includes(type)) {
      this.ended = true;
      this.last = event.bytes;
      this.usage = this.#stream.readUsage(data);
      this.isDoubtful = this.#stream.isDoubtful?.(data) === true;
      this.#extras = this.#stream.readExtras?.(data);
      return false;
    }
    const used = type === this.#stream.use?.mark ? this.#stream.use.nameOf(data) : undefined;
    if (used !== undefined) addUses(this.#uses, used);
    if (this.#stream.pieces.includes(type)) this.#counter.add(event.bytes);
    return true;
  }
}

/** Is what is left an end or a failure that only lacks its closing empty line? One that was cut is no JSON. */
export function endsUnclosed(unfinished: Buffer, { ends, failures, typeField }: TypedStream): boolean {
  if (unfinished.length === 0) return false;
  const [event] = eventsOf(Buffer.concat([unfinished, EVENT_CLOSE]));
  const data = event?.data === undefined ? undefined : parseObject(event.data);
  if (event === undefined || data === undefined) return false;
  const type = typeOf(event, data, typeField);
  return ends.includes(type) || failures.includes(type);
}

/** The data names it, else the event's own line; `message` is what an event without a name is called. */
function typeOf(event: SseEvent, data: Record<string, unknown>, field = 'type'): string {
  const type = data[field];
  if (typeof type === 'string') return type;
  const name = eventName(event) ?? '';
  return name === 'message' ? '' : name;
}
