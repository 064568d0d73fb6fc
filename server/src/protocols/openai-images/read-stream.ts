// Follows a stream of images: sketches, then the finished one, as many times as images were asked for (spec 6). Usage stands
// in the last event.
import type { TokenUsage } from '../../neutral/usage.ts';
import { complaintOf } from '../openai-chat/error.ts';
import type { StreamReader, UpstreamComplaint } from '../protocol.ts';
import { EventAligner, eventsOf } from '../sse.ts';
import { endsUnclosed, EVENT_CLOSE, TypedEventReader, type TypedStream } from '../typed-events.ts';
import { readTypedUsage } from '../typed-usage.ts';

/** The events of one image. */
const imageStream: TypedStream = {
  ends: ['image_generation.completed', 'image_edit.completed'],
  failures: ['error'],
  pieces: ['image_generation.partial_image', 'image_edit.partial_image'],
  readUsage: (event) => readTypedUsage(event['usage'], 'image'),
  readComplaint: complaintOf,
};

export class ImageStreamReader implements StreamReader {
  started = false;
  ended = false;
  last: Buffer | undefined;
  usage: TokenUsage | undefined;
  complaint: UpstreamComplaint | undefined;
  outputPieces = 0;
  /** Finished ones. */
  images = 0;
  readonly #asked: number;
  readonly #aligner = new EventAligner();
  #image = new TypedEventReader(imageStream);

  constructor(asked: number) {
    this.#asked = asked;
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
    const before = image.outputPieces;
    const passed = image.push(event);
    this.started ||= image.started;
    this.complaint = image.complaint;
    this.outputPieces += image.outputPieces - before;
    if (!image.ended) return passed;
    this.usage = image.usage ?? this.usage;
    this.images++;
    this.outputPieces++;
    if (this.images < this.#asked) {
      this.#image = new TypedEventReader(imageStream);
      return image.last;
    }
    this.ended = true;
    this.last = image.last;
    return undefined;
  }
}
