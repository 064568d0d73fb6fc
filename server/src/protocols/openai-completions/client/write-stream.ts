// Parts as a stream of completions. Only text has a place here: reasoning and tool calls are left out.
import type { StreamPart } from '../../../neutral/stream-part.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { writeUsage } from '../../openai-chat/usage.ts';
import type { AnswerContext, PartsWriter } from '../../text-protocol.ts';
import { completionHead, writeChoice, writeFinishReason } from './write-result.ts';

export class CompletionPartsWriter implements PartsWriter {
  readonly #context: AnswerContext;
  /** Blocks of text. */
  readonly #texts = new Set<number>();

  constructor(context: AnswerContext) {
    this.#context = context;
  }

  write(part: StreamPart): string {
    switch (part.type) {
      case 'block-start':
        if (part.block.type === 'text' || part.block.type === 'refusal') this.#texts.add(part.index);
        return '';
      case 'delta':
        return part.text !== '' && this.#texts.has(part.index) ? this.#chunk(part.text, null) : '';
      case 'finish':
        return this.#finish(part);
      default:
        return '';
    }
  }

  #finish({ finish, usage }: Extract<StreamPart, { type: 'finish' }>): string {
    const { showsUsage } = this.#context.generation;
    const last = this.#chunk('', writeFinishReason(finish.reason));
    const reported = showsUsage && usage !== undefined ? this.#event({ choices: [], usage: writeUsage(usage) }) : '';
    return `${last}${reported}data: [DONE]\n\n`;
  }

  #chunk(text: string, finishReason: string | null): string {
    const { showsUsage } = this.#context.generation;
    return this.#event({ choices: [writeChoice(text, finishReason)], ...(showsUsage && { usage: null }) });
  }

  #event(rest: JsonRecord): string {
    return `data: ${JSON.stringify({ ...completionHead(this.#context), ...rest })}\n\n`;
  }
}
