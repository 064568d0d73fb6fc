// Calls of functions that stand for custom tools, in one answer: they come back as what the client offered.
import type { GenerationResult } from '../../neutral/generation.ts';
import type { StreamPart } from '../../neutral/stream-part.ts';
import { CustomInput, inputOf } from './custom-input.ts';

export class CustomCalls {
  readonly #names: ReadonlySet<string>;
  readonly #open = new Map<number, CustomInput>();

  /** `names` are those of the custom tools, as the client knows them. */
  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  inResult(result: GenerationResult): GenerationResult {
    if (this.#names.size === 0) return result;
    const content = result.content.map((part) =>
      part.type === 'tool-call' && this.#names.has(part.name) ? { ...part, input: inputOf(part.arguments) } : part,
    );
    return { ...result, content };
  }

  inPart(part: StreamPart): StreamPart[] {
    if (this.#names.size === 0) return [part];
    if (part.type === 'block-start' && part.block.type === 'tool-call' && this.#names.has(part.block.name)) {
      this.#open.set(part.index, new CustomInput());
      return [{ ...part, block: { ...part.block, isCustom: true } }];
    }
    if (part.type === 'finish') return [...this.#endAll(), part];
    const input = 'index' in part ? this.#open.get(part.index) : undefined;
    if (input === undefined) return [part];
    if (part.type === 'delta') return [{ ...part, text: input.push(part.text) }];
    return part.type === 'block-end' ? [...this.#end(part.index), part] : [part];
  }

  #end(index: number): StreamPart[] {
    const text = this.#open.get(index)?.end() ?? '';
    this.#open.delete(index);
    return text === '' ? [] : [{ type: 'delta', index, text }];
  }

  #endAll(): StreamPart[] {
    return [...this.#open.keys()].flatMap((index) => this.#end(index));
  }
}
