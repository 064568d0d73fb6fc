// Parts as a generate-content stream. Text goes out as it comes; a call has no pieces on this wire and goes out whole.
import type { Citation, Signature } from '../../../neutral/conversation.ts';
import type { BlockStart, StreamPart } from '../../../neutral/stream-part.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import type { AnswerContext, PartsWriter } from '../../text-protocol.ts';
import { type CitedText, writeGrounding } from '../citations.ts';
import { writeFinishReason } from '../finish-reason.ts';
import { type Candidate, writeCall, writePicture, writeResponse, writeThought } from './write-content.ts';

interface OpenBlock {
  start: BlockStart;
  text: string;
  /** Bytes of the answer's text before it. */
  offset: number;
  citations: Citation[];
  signature: Signature | undefined;
}

export class ContentStreamWriter implements PartsWriter {
  readonly #context: AnswerContext;
  readonly #blocks = new Map<number, OpenBlock>();
  #textBytes = 0;
  readonly #cited: CitedText[] = [];

  constructor(context: AnswerContext) {
    this.#context = context;
  }

  write(part: StreamPart): string {
    switch (part.type) {
      case 'start':
      case 'error':
        return '';
      case 'block-start':
        this.#blocks.set(part.index, {
          start: part.block,
          text: '',
          offset: this.#textBytes,
          citations: [],
          signature: undefined,
        });
        return '';
      case 'picture':
        return this.#event({ parts: [writePicture(part.picture)] });
      case 'finish':
        return this.#finish(part);
      default:
        return this.#continue(part, this.#blocks.get(part.index));
    }
  }

  #continue(
    part: Extract<StreamPart, { type: 'delta' | 'signature' | 'citation' | 'block-end' }>,
    block: OpenBlock | undefined,
  ): string {
    if (block === undefined) return '';
    switch (part.type) {
      case 'delta':
        return this.#delta(block, part.text);
      case 'signature':
        block.signature = part.signature;
        return '';
      case 'citation':
        block.citations.push(part.citation);
        return '';
      case 'block-end':
        this.#blocks.delete(part.index);
        return this.#end(block);
    }
  }

  #delta(block: OpenBlock, text: string): string {
    block.text += text;
    const { type } = block.start;
    if (type === 'tool-call' || text === '') return '';
    if (type === 'reasoning') return this.#event({ parts: [writeThought({ text })] });
    this.#textBytes += Buffer.byteLength(text);
    return this.#event({ parts: [{ text }] });
  }

  #end({ start, text, offset, citations, signature }: OpenBlock): string {
    const signed = signature !== undefined && { signature };
    switch (start.type) {
      case 'tool-call': {
        const { id, name } = start;
        return this.#event({ parts: [writeCall({ id, name, arguments: text, ...signed })] });
      }
      case 'reasoning': {
        const { sealed } = start;
        if (signature === undefined && sealed === undefined) return '';
        return this.#event({ parts: [writeThought({ text: '', ...signed, ...(sealed !== undefined && { sealed }) })] });
      }
      default:
        if (citations.length > 0) this.#cited.push({ text, citations, offset });
        return '';
    }
  }

  #finish({ finish, usage }: Extract<StreamPart, { type: 'finish' }>): string {
    const finishReason = writeFinishReason(finish.reason);
    const candidate = { parts: [{ text: '' }], finishReason, grounding: writeGrounding(this.#cited) };
    return writeEvent(writeResponse(this.#context, candidate, usage));
  }

  #event(candidate: Candidate): string {
    return writeEvent(writeResponse(this.#context, candidate));
  }
}

function writeEvent(data: JsonRecord): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
