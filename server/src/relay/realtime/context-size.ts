// How long the prompt of a session's next response is, as far as anybody knows: what the last response reported, and what was
// added since.
import { tokensHeard } from '../../protocols/realtime/index.ts';
import type { TokenUsage } from '../../neutral/usage.ts';

export interface PromptTokens {
  text: number;
  audio: number;
  image: number;
}

/** What was added at some moment, so that it can be taken off when a response has reported it. */
export interface Added {
  readonly bytes: number;
  readonly audioMs: number;
  readonly images: number;
}

const HOLD_BYTES_PER_TOKEN = 3;
const FAIR_BYTES_PER_TOKEN = 4;
const TOKENS_PER_IMAGE = 1_500;
const NOTHING: Added = { bytes: 0, audioMs: 0, images: 0 };

export class ContextSize {
  #reported: PromptTokens = { text: 0, audio: 0, image: 0 };
  #added: Added = NOTHING;

  add({ bytes = 0, audioMs = 0, images = 0 }: Partial<Added>): void {
    const before = this.#added;
    this.#added = {
      bytes: before.bytes + bytes,
      audioMs: before.audioMs + audioMs,
      images: before.images + images,
    };
  }

  get added(): Added {
    return this.#added;
  }

  /** A response that was begun when `before` had been added has read this much, and what it said is read from now on. */
  report(before: Added, { input, output, audioInput, imageInput, audioOutput }: TokenUsage): void {
    this.#reported = {
      text: Math.max(0, input - audioInput - imageInput) + Math.max(0, output - audioOutput),
      audio: audioInput + audioOutput,
      image: imageInput,
    };
    const now = this.#added;
    this.#added = {
      bytes: Math.max(0, now.bytes - before.bytes),
      audioMs: Math.max(0, now.audioMs - before.audioMs),
      images: Math.max(0, now.images - before.images),
    };
  }

  /** Rather a little too much. */
  get toHold(): PromptTokens {
    return this.#tokens(HOLD_BYTES_PER_TOKEN);
  }

  /** What is charged where nobody reports it. */
  get fair(): PromptTokens {
    return this.#tokens(FAIR_BYTES_PER_TOKEN);
  }

  #tokens(bytesPerToken: number): PromptTokens {
    const { bytes, audioMs, images } = this.#added;
    const { text, audio, image } = this.#reported;
    return {
      text: text + Math.ceil(bytes / bytesPerToken),
      audio: audio + tokensHeard(audioMs),
      image: image + images * TOKENS_PER_IMAGE,
    };
  }
}
