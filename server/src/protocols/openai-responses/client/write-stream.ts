// Parts as a responses stream: numbered events, each item announced, filled and closed.
import type { Citation, Picture } from '../../../neutral/conversation.ts';
import type { SignatureOrSeal } from '../../../neutral/signature.ts';
import type { BlockStart, StreamPart } from '../../../neutral/stream-part.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { writeAnnotation } from '../../openai-shared/citations.ts';
import type { AnswerContext, PartsWriter } from '../../text-protocol.ts';
import { writeIncompleteReason } from '../finish-reason.ts';
import {
  writeCallItem,
  writeCustomCallItem,
  writeMessageItem,
  writePictureItem,
  writeReasoningItem,
  writeRefusal,
  writeResponse,
  writeText,
} from './write-content.ts';

interface Item {
  block: BlockStart;
  /** Position in the output; known once the item is announced. */
  index: number;
  id: string;
  text: string;
  citations: Citation[];
  signature: SignatureOrSeal;
  isOver: boolean;
}

export class ResponsesPartsWriter implements PartsWriter {
  readonly #context: AnswerContext;
  readonly #items = new Map<number, Item>();
  readonly #output: JsonRecord[] = [];
  #announced = 0;
  #sequence = 0;
  #saysRefusal = false;

  constructor(context: AnswerContext) {
    this.#context = context;
  }

  write(part: StreamPart): string {
    switch (part.type) {
      case 'start': {
        const response = writeResponse(this.#context, { status: 'in_progress', output: [] });
        return this.#event('response.created', { response }) + this.#event('response.in_progress', { response });
      }
      case 'block-start':
        return this.#begin(part.index, part.block);
      case 'finish':
        return this.#finish(part);
      case 'picture':
        return this.#draw(part.index, part.picture);
      case 'error':
        return '';
      default: {
        const item = this.#items.get(part.index);
        return item === undefined || item.isOver ? '' : this.#goOn(item, part);
      }
    }
  }

  #goOn(item: Item, part: Extract<StreamPart, { type: 'delta' | 'signature' | 'citation' | 'block-end' }>): string {
    switch (part.type) {
      case 'delta':
        return part.text === '' ? '' : this.#announce(item) + this.#delta(item, part.text);
      case 'signature':
        item.signature = { signature: part.signature };
        return '';
      case 'citation':
        return this.#cite(item, part.citation);
      case 'block-end':
        return this.#announce(item) + this.#end(item);
    }
  }

  /** A call waits for its first arguments: the proof of it, if there is one, comes before them and goes ahead of it. */
  #begin(key: number, block: BlockStart): string {
    this.#saysRefusal ||= block.type === 'refusal';
    const sealed = block.type === 'reasoning' ? block.sealed : undefined;
    const item: Item = {
      block,
      index: -1,
      id: `${this.#context.id}${key}`,
      text: '',
      citations: [],
      signature: sealed === undefined ? {} : { sealed },
      isOver: false,
    };
    this.#items.set(key, item);
    return block.type === 'tool-call' ? '' : this.#announce(item);
  }

  /** The item comes whole: in the one event that carries the result, behind those that announce it. */
  #draw(key: number, picture: Picture): string {
    const output_index = this.#announced++;
    const item = writePictureItem(`${this.#context.id}${key}`, picture);
    this.#output[output_index] = item;
    const position = { output_index, item_id: item['id'] };
    return (
      this.#event('response.output_item.added', {
        output_index,
        item: { ...item, status: 'in_progress', result: null },
      }) +
      this.#event('response.image_generation_call.in_progress', position) +
      this.#event('response.image_generation_call.completed', position) +
      this.#event('response.output_item.done', { output_index, item })
    );
  }

  #announce(item: Item): string {
    if (item.index !== -1) return '';
    let text = '';
    if (item.block.type === 'tool-call' && item.signature.signature !== undefined) {
      const signature = writeReasoningItem(`${item.id}s`, '', item.signature);
      const output_index = this.#announced++;
      this.#output[output_index] = signature;
      text += this.#event('response.output_item.added', { output_index, item: signature });
      text += this.#event('response.output_item.done', { output_index, item: signature });
    }
    item.index = this.#announced++;
    text += this.#event('response.output_item.added', { output_index: item.index, item: writeItem(item, false) });
    if (item.block.type === 'text' || item.block.type === 'refusal')
      text += this.#part('response.content_part.added', item, { part: contentOf({ ...item, text: '' }) });
    return text;
  }

  #delta(item: Item, delta: string): string {
    const isFirst = item.text === '';
    item.text += delta;
    switch (item.block.type) {
      case 'text':
        return this.#part('response.output_text.delta', item, { delta, logprobs: [] });
      case 'refusal':
        return this.#part('response.refusal.delta', item, { delta });
      case 'tool-call': {
        const type = item.block.isCustom === true ? 'custom_tool_call_input' : 'function_call_arguments';
        return this.#of(`response.${type}.delta`, item, { delta });
      }
      case 'reasoning': {
        const part = { type: 'summary_text', text: '' };
        const begin = isFirst
          ? this.#of('response.reasoning_summary_part.added', item, { summary_index: 0, part })
          : '';
        return begin + this.#of('response.reasoning_summary_text.delta', item, { summary_index: 0, delta });
      }
    }
  }

  #cite(item: Item, citation: Citation): string {
    const [annotation] = writeAnnotation(citation, item.text);
    if (annotation === undefined || item.block.type !== 'text') return '';
    const annotation_index = item.citations.length;
    item.citations.push(citation);
    return this.#part('response.output_text.annotation.added', item, { annotation_index, annotation });
  }

  #end(item: Item): string {
    item.isOver = true;
    const done = writeItem(item, true);
    this.#output[item.index] = done;
    return this.#closing(item) + this.#event('response.output_item.done', { output_index: item.index, item: done });
  }

  #closing(item: Item): string {
    const { text } = item;
    switch (item.block.type) {
      case 'text':
        return (
          this.#part('response.output_text.done', item, { text, logprobs: [] }) +
          this.#part('response.content_part.done', item, { part: contentOf(item) })
        );
      case 'refusal':
        return (
          this.#part('response.refusal.done', item, { refusal: text }) +
          this.#part('response.content_part.done', item, { part: contentOf(item) })
        );
      case 'tool-call':
        if (item.block.isCustom === true)
          return this.#of('response.custom_tool_call_input.done', item, { input: text });
        return this.#of('response.function_call_arguments.done', item, {
          name: item.block.name,
          arguments: text || '{}',
        });
      case 'reasoning': {
        if (text === '') return '';
        const part = { type: 'summary_text', text };
        return (
          this.#of('response.reasoning_summary_text.done', item, { summary_index: 0, text }) +
          this.#of('response.reasoning_summary_part.done', item, { summary_index: 0, part })
        );
      }
    }
  }

  #finish({ finish, usage }: Extract<StreamPart, { type: 'finish' }>): string {
    const open = [...this.#items.values()].filter((item) => !item.isOver);
    const rest = open.map((item) => this.#announce(item) + this.#end(item)).join('');
    const incomplete = writeIncompleteReason(finish.reason, this.#saysRefusal);
    const status = incomplete === null ? 'completed' : 'incomplete';
    const response = writeResponse(this.#context, { status, output: this.#output, incomplete, usage });
    return rest + this.#event(`response.${status}`, { response });
  }

  #part(type: string, item: Item, rest: JsonRecord): string {
    return this.#of(type, item, { content_index: 0, ...rest });
  }

  #of(type: string, item: Item, rest: JsonRecord): string {
    return this.#event(type, { item_id: writeItem(item, false)['id'], output_index: item.index, ...rest });
  }

  #event(type: string, rest: JsonRecord): string {
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: this.#sequence++, ...rest })}\n\n`;
  }
}

/** As it is announced, with nothing in it, or as it is in the end. */
function writeItem(item: Item, isDone: boolean): JsonRecord {
  const { block, id, text, signature } = item;
  const status = isDone ? 'completed' : 'in_progress';
  switch (block.type) {
    case 'text':
    case 'refusal':
      return writeMessageItem(id, isDone ? [contentOf(item)] : [], status);
    case 'tool-call':
      return block.isCustom === true
        ? writeCustomCallItem(id, { ...block, input: isDone ? text : '' }, status)
        : writeCallItem(id, { ...block, arguments: isDone ? text || '{}' : '' }, status);
    case 'reasoning':
      return isDone ? writeReasoningItem(id, text, signature) : writeReasoningItem(id, '', {});
  }
}

function contentOf({ block, text, citations }: Item): JsonRecord {
  return block.type === 'refusal' ? writeRefusal(text) : writeText(text, citations);
}
