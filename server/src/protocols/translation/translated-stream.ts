// Follows the stream of an upstream of one text protocol and writes it as events of another.
import type { CallNames } from './call-names.ts';
import { countTextTokens } from '../stream/count-pieces.ts';
import type { StreamPart } from '../../neutral/stream-part.ts';
import type { Extras, TokenUsage } from '../../neutral/usage.ts';
import { StreamError, type StreamReader, type UpstreamComplaint } from '../protocol.ts';
import { EventAligner, eventsOf } from '../stream/sse.ts';
import { type PartsReader, type PartsWriter, pathOfPicture } from '../text-protocol.ts';
import type { CustomCalls } from '../custom-tools/custom-calls.ts';

const END_OF_EVENT = Buffer.from('\n\n');

export interface StreamFacts {
  names: CallNames;
  /** Gives custom tools back their calls; absent where the caller has none. */
  custom?: CustomCalls;
  /** The client's protocol has no place for pictures. */
  lacksPictures?: boolean;
}

export class TranslatedStream implements StreamReader {
  started = false;
  ended = false;
  last: Buffer | undefined;
  complaint: UpstreamComplaint | undefined;
  readonly #reader: PartsReader;
  readonly #writer: PartsWriter;
  readonly #aligner = new EventAligner();
  readonly #names: CallNames;
  readonly #custom: CustomCalls | undefined;
  readonly #lacksPictures: boolean;
  #isOver = false;
  #reported: TokenUsage | undefined;
  #pieces = 0;
  #bytes = 0;

  constructor(reader: PartsReader, writer: PartsWriter, { names, custom, lacksPictures = false }: StreamFacts) {
    this.#reader = reader;
    this.#writer = writer;
    this.#names = names;
    this.#custom = custom;
    this.#lacksPictures = lacksPictures;
  }

  get outputPieces(): number {
    return countTextTokens(this.#pieces, this.#bytes);
  }

  /** The newest that was reported; where that leaves out the output, what has come stands in for it. */
  get usage(): TokenUsage | undefined {
    const reported = this.#reader.usage ?? this.#reported;
    if (reported === undefined || this.#reader.outputIsReported !== false) return reported;
    return { ...reported, output: Math.max(reported.output, this.outputPieces) };
  }

  get isDoubtful(): boolean {
    return this.#reader.isDoubtful === true;
  }

  get extras(): Extras | undefined {
    return this.#reader.extras;
  }

  push(chunk: Buffer): Buffer | undefined {
    if (this.ended) return undefined;
    const block = this.#aligner.push(chunk);
    const text = block === undefined ? '' : this.#read(block);
    return text === '' ? undefined : Buffer.from(text);
  }

  isComplete(): boolean {
    if (this.ended || this.#isOver) return this.ended;
    this.#isOver = true;
    const text = this.#readUnclosed(this.#aligner.unfinished);
    const rest = this.ended ? '' : this.#write(this.#reader.end());
    if (this.last !== undefined && text + rest !== '') this.last = Buffer.concat([Buffer.from(text + rest), this.last]);
    return this.ended && this.complaint === undefined;
  }

  /** An event that only lacks its closing empty line; one that was cut is none. */
  #readUnclosed(unfinished: Buffer): string {
    if (unfinished.length === 0) return '';
    try {
      return this.#read(Buffer.concat([unfinished, END_OF_EVENT]));
    } catch (error) {
      if (error instanceof StreamError) return '';
      throw error;
    }
  }

  #read(block: Buffer): string {
    let text = '';
    for (const event of eventsOf(block)) {
      if (this.ended || this.complaint !== undefined) break;
      text += this.#write(this.#reader.push(event));
    }
    return text;
  }

  /** Thoughts that nobody may read are output too. */
  #countSealed(sealed: string | undefined): void {
    if (sealed === undefined) return;
    this.#pieces++;
    this.#bytes += sealed.length;
  }

  /** What the client gets of these now; the end is held back. */
  #write(parts: StreamPart[]): string {
    let text = '';
    for (const part of parts) {
      if (part.type === 'error') {
        const { message, code, status } = part;
        this.complaint = { message, code, param: undefined, ...(status !== undefined && { status }) };
        break;
      }
      this.started = true;
      if (part.type === 'finish') {
        this.#reported = part.usage ?? this.#reported;
        this.ended = true;
        this.last = Buffer.from(this.#say({ ...part, usage: this.usage }));
        break;
      }
      if (part.type === 'start') this.#reported = part.usage;
      if (part.type === 'block-start' && part.block.type === 'reasoning') this.#countSealed(part.block.sealed?.value);
      if (part.type === 'delta') {
        this.#pieces++;
        this.#bytes += Buffer.byteLength(part.text);
      }
      // The head is sent already: a comment names it, which every client passes over.
      if (part.type === 'picture' && this.#lacksPictures)
        text += `: x-tollgate-dropped ${pathOfPicture(part.index)}\n\n`;
      else text += this.#say(part);
    }
    return text;
  }

  /** In the client's own names of calls and tools. */
  #say(raw: StreamPart): string {
    const part = this.#names.inPart(raw);
    if (this.#custom === undefined) return this.#writer.write(part);
    let text = '';
    for (const one of this.#custom.inPart(part)) text += this.#writer.write(one);
    return text;
  }
}
