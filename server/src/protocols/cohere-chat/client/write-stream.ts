// Parts as a stream of /v2/chat. Contents and calls are counted apart, each from 0.
// https://docs.cohere.com/v2/docs/streaming
import type { BlockStart, StreamPart } from '../../../neutral/stream-part.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import type { AnswerContext, PartsWriter } from '../../text-protocol.ts';
import { writeEvent } from '../error.ts';
import { writeFinishReason } from '../finish-reason.ts';
import { writeUsage } from '../usage.ts';
import { writeCitation } from './write-result.ts';

interface OpenBlock {
  type: BlockStart['type'];
  /** Among the contents, or among the calls. */
  index: number;
  text: string;
}

const END = 'data: [DONE]\n\n';

export class CoherePartsWriter implements PartsWriter {
  readonly #id: string;
  readonly #blocks = new Map<number, OpenBlock>();
  #contents = 0;
  #calls = 0;
  #citations = 0;

  constructor({ id }: AnswerContext) {
    this.#id = id;
  }

  write(part: StreamPart): string {
    switch (part.type) {
      case 'start': {
        const message = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] };
        return writeEvent({ type: 'message-start', id: this.#id, delta: { message } });
      }
      case 'block-start':
        return this.#begin(part.index, part.block);
      case 'delta':
        return this.#more(part.index, part.text);
      case 'citation':
        return this.#cite(part);
      case 'block-end':
        return this.#end(part.index);
      case 'finish': {
        const usage = part.usage === undefined ? {} : { usage: writeUsage(part.usage) };
        const delta = { finish_reason: writeFinishReason(part.finish), ...usage };
        return `${writeEvent({ type: 'message-end', id: this.#id, delta })}${END}`;
      }
      case 'signature':
      case 'picture':
      case 'error':
        return '';
    }
  }

  #begin(at: number, block: BlockStart): string {
    if (block.type === 'reasoning' && block.sealed !== undefined) return ''; // nothing to read
    const isCall = block.type === 'tool-call';
    const index = isCall ? this.#calls++ : this.#contents++;
    this.#blocks.set(at, { type: block.type, index, text: '' });
    if (!isCall) return event('content-start', index, { content: contentOf(block.type, '') });
    const { id, name } = block;
    return event('tool-call-start', index, { tool_calls: { id, type: 'function', function: { name, arguments: '' } } });
  }

  #more(at: number, text: string): string {
    const block = this.#blocks.get(at);
    if (block === undefined || text === '') return '';
    block.text += text;
    const { type, index } = block;
    if (type === 'tool-call') return event('tool-call-delta', index, { tool_calls: { function: { arguments: text } } });
    const { type: _, ...content } = contentOf(type, text);
    return event('content-delta', index, { content });
  }

  #end(at: number): string {
    const block = this.#blocks.get(at);
    if (block === undefined) return '';
    if (block.type !== 'tool-call') return writeEvent({ type: 'content-end', index: block.index });
    // Clients parse the arguments of a call, also of one that has none.
    const missing = block.text === '' ? this.#more(at, '{}') : '';
    return missing + writeEvent({ type: 'tool-call-end', index: block.index });
  }

  #cite({ index: at, citation }: Extract<StreamPart, { type: 'citation' }>): string {
    const block = this.#blocks.get(at);
    const [citations] = block === undefined ? [] : writeCitation(citation, block);
    if (citations === undefined) return '';
    const index = this.#citations++;
    return event('citation-start', index, { citations }) + writeEvent({ type: 'citation-end', index });
  }
}

function contentOf(type: BlockStart['type'], text: string): JsonRecord {
  return type === 'reasoning' ? { type: 'thinking', thinking: text } : { type: 'text', text };
}

function event(type: string, index: number, message: JsonRecord): string {
  return writeEvent({ type, index, delta: { message } });
}
