// Ids of the tool calls in one answer. Clients answer calls by their ids, so one that the upstream left out is made, and
// one that it gave twice is made different.
import type { GenerationResult } from '../../neutral/generation.ts';
import type { StreamPart } from '../../neutral/stream-part.ts';
import type { FittedNames } from './fit-names.ts';

export class CallNames {
  readonly #answerId: string;
  /** Gives back the names that the client knows. */
  readonly #fitted: FittedNames | undefined;
  readonly #used = new Set<string>();
  #count = 0;

  constructor(answerId: string, fitted?: FittedNames) {
    this.#answerId = answerId;
    this.#fitted = fitted;
  }

  inResult(result: GenerationResult): GenerationResult {
    const content = (this.#fitted?.inResult(result) ?? result).content.map((part) =>
      part.type === 'tool-call' ? { ...part, id: this.#name(part.id) } : part,
    );
    return { ...result, content };
  }

  inPart(raw: StreamPart): StreamPart {
    const part = this.#fitted?.inPart(raw) ?? raw;
    if (part.type !== 'block-start' || part.block.type !== 'tool-call') return part;
    return { ...part, block: { ...part.block, id: this.#name(part.block.id) } };
  }

  #name(id: string): string {
    const position = this.#count++;
    const isFree = id !== '' && !this.#used.has(id);
    const name = isFree ? id : `call_${this.#answerId}${position}`;
    this.#used.add(name);
    return name;
  }
}
