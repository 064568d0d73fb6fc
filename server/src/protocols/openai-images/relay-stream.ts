// Follows a stream of images: sketches, then the finished one, as many times as images were asked for (spec 6). Usage stands
// in the last event.
import type { TokenUsage } from '../../neutral/usage.ts';
import { complaintOf } from '../openai-chat/error.ts';
import type { StreamReader, UpstreamComplaint } from '../protocol.ts';
import { EVENT_CLOSE, EventAligner, eventsOf } from '../stream/sse.ts';
import { endsUnclosed, TypedEventReader, type TypedStream } from '../stream/typed-events.ts';
import { readTypedUsage } from '../stream/typed-usage.ts';
import { TOKENS_PER_IMAGE } from './read-answer.ts';

/** The events of one image. */
const imageStream: TypedStream = {
  ends: ['image_generation.completed', 'image_edit.completed'],
  failures: ['error'],
  pieces: ['image_generation.partial_image', 'image_edit.partial_image'],
  countTokens: (pieces) => pieces,
  readUsage: (event) => readTypedUsage(event['usage'], 'image'),
  readComplaint: complaintOf,
};

export class ImageStreamReader implements StreamReader {
  started = false;
  ended = false;
  last: Buffer | undefined;
  usage: TokenUsage | undefined;
  complaint: UpstreamComplaint | undefined;
  /** Finished ones. */
  images = 0;
  readonly #asked: number;
  readonly #aligner = new EventAligner();
  #image = new TypedEventReader(imageStream);

  constructor(asked: number) {
    this.#asked = asked;
  }

  /** Finished images, that cost no more than they are reported to, and sketches of the next. */
  get outputPieces(): number {
    const finished = this.images * TOKENS_PER_IMAGE;
    return Math.min(finished, this.usage?.output ?? finished) + this.#image.outputPieces;
  }

  push(chunk: Buffer): Buffer | undefined {
    const block = this.ended ? undefined : this.#aligner.push(chunk);
    if (block === undefined) return undefined;
    const kept: Buffer[] = [];
    for (const { bytes } of eventsOf(block)) {
      if (this.ended || this.complaint !== undefined) break;
      const passed = this.#take(bytes);
      if (passed !== undefined) kept.push(passed);
    }
    return kept.length === 0 ? undefined : Buffer.concat(kept);
  }

  /** Fewer images than asked for are still an answer. */
  isComplete(): boolean {
    if (endsUnclosed(this.#aligner.unfinished, imageStream)) {
      const passed = this.push(EVENT_CLOSE);
      this.last ??= passed;
    }
    return this.ended || (this.images > 0 && this.complaint === undefined);
  }

  #take(event: Buffer): Buffer | undefined {
    const image = this.#image;
    const passed = image.push(event);
    this.started ||= image.started;
    this.complaint = image.complaint;
    if (!image.ended) return passed;
    this.usage = image.usage ?? this.usage;
    this.images++;
    this.#image = new TypedEventReader(imageStream);
    if (this.images < this.#asked) return image.last;
    this.ended = true;
    this.last = image.last;
    return undefined;
  }
}
