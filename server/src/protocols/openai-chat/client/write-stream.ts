// Parts as a chat stream.
import type { BlockStart, StreamPart } from '../../../neutral/stream-part.ts';
import type { ReasoningPart } from '../../../neutral/conversation.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import type { AnswerContext, PartsWriter } from '../../text-protocol.ts';
import { writeFinishReason } from '../finish-reason.ts';
import { writeCallSignature, writeReasoningDetail } from '../reasoning-details.ts';
import { writeAnnotation, writePicture } from './write-result.ts';
import { writeUsage } from '../usage.ts';

interface OpenBlock {
  type: BlockStart['type'];
  /** A call of a custom tool: its text is free. */
  isCustom: boolean;
  /** Position among the tool calls. */
  call: number;
  /** How many of them were begun before it. */
  callsBefore: number;
  /** How much was said before it, and how much of it. */
  offset: number;
  length: number;
  /** Reasoning is gathered: with its signature it is said once more, as a whole that can be sent back. */
  reasoning: Omit<ReasoningPart, 'type' | 'path'>;
}

export class ChatPartsWriter implements PartsWriter {
  readonly #context: AnswerContext;
  readonly #blocks = new Map<number, OpenBlock>();
  #calls = 0;
  #textLength = 0;
  #pictures = 0;
  #saysRefusal = false;

  constructor(context: AnswerContext) {
    this.#context = context;
  }

  write(part: StreamPart): string {
    switch (part.type) {
      case 'start':
        return this.#chunk({ role: 'assistant', content: '' });
      case 'block-start':
        return this.#begin(part.index, part.block);
      case 'delta':
        return this.#delta(part.index, part.text);
      case 'signature': {
        const block = this.#blocks.get(part.index);
        if (block?.type === 'reasoning') block.reasoning.signature = part.signature;
        if (block?.type !== 'tool-call') return '';
        // Strict clients want `function` in every item (contract-2 7).
        return this.#chunk({
          tool_calls: [{ index: block.call, ...moreOfCall(block, ''), ...writeCallSignature(part.signature) }],
        });
      }
      case 'citation': {
        const block = this.#blocks.get(part.index);
        const annotations = block === undefined ? [] : writeAnnotation(part.citation, block);
        return annotations.length === 0 ? '' : this.#chunk({ annotations });
      }
      case 'block-end':
        return this.#end(part.index);
      case 'picture':
        return this.#chunk({ images: [{ ...writePicture(part.picture), index: this.#pictures++ }] });
      case 'finish':
        return this.#finish(part);
      case 'error':
        return '';
    }
  }

  #begin(index: number, block: BlockStart): string {
    const callsBefore = this.#calls;
    const call = block.type === 'tool-call' ? this.#calls++ : -1;
    const sealed = block.type === 'reasoning' ? block.sealed : undefined;
    this.#blocks.set(index, {
      type: block.type,
      isCustom: block.type === 'tool-call' && block.isCustom === true,
      call,
      callsBefore,
      offset: this.#textLength,
      length: 0,
      reasoning: { text: '', ...(sealed !== undefined && { sealed }) },
    });
    this.#saysRefusal ||= block.type === 'refusal';
    if (block.type !== 'tool-call') return '';
    const { id, name } = block;
    if (block.isCustom === true)
      return this.#chunk({ tool_calls: [{ index: call, id, type: 'custom', custom: { name, input: '' } }] });
    return this.#chunk({ tool_calls: [{ index: call, id, type: 'function', function: { name, arguments: '' } }] });
  }

  #delta(index: number, text: string): string {
    const block = this.#blocks.get(index);
    if (block === undefined || text === '') return '';
    block.length += text.length;
    switch (block.type) {
      case 'text':
        this.#textLength += text.length;
        return this.#chunk({ content: text });
      case 'refusal':
        return this.#chunk({ refusal: text });
      case 'reasoning':
        block.reasoning.text += text;
        return this.#chunk({ reasoning_content: text });
      case 'tool-call':
        return this.#chunk({ tool_calls: [{ index: block.call, ...moreOfCall(block, text) }] });
    }
  }

  #end(index: number): string {
    const block = this.#blocks.get(index);
    // Clients parse the arguments of a call, also of one that has none.
    if (block?.type === 'tool-call' && block.length === 0 && !block.isCustom) return this.#delta(index, '{}');
    if (block?.type !== 'reasoning') return '';
    const details = writeReasoningDetail(block.reasoning, { content: block.offset, toolCalls: block.callsBefore });
    return details.length === 0 ? '' : this.#chunk({ reasoning_details: details });
  }

  #finish({ finish, usage }: Extract<StreamPart, { type: 'finish' }>): string {
    const { showsUsage } = this.#context.generation;
    const last = this.#chunk({}, writeFinishReason(finish.reason, this.#saysRefusal));
    const reported = showsUsage && usage !== undefined ? this.#event({ choices: [], usage: writeUsage(usage) }) : '';
    return `${last}${reported}data: [DONE]\n\n`;
  }

  #chunk(delta: JsonRecord, finishReason: string | null = null): string {
    const { showsUsage } = this.#context.generation;
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }];
    return this.#event({ choices, ...(showsUsage && { usage: null }) });
  }

  #event(rest: JsonRecord): string {
    const { id, created, generation } = this.#context;
    const head = { id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created, model: generation.model };
    return `data: ${JSON.stringify({ ...head, ...rest })}\n\n`;
  }
}

function moreOfCall({ isCustom }: OpenBlock, text: string): JsonRecord {
  return isCustom ? { custom: { input: text } } : { function: { arguments: text } };
}
