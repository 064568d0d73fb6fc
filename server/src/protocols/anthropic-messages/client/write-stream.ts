// Parts as a stream of this protocol. Its blocks follow one another, so what interleaves is kept until its turn has come.
import type { BlockStart, StreamPart } from '../../../neutral/stream-part.ts';
import { writeSignature } from '../../../neutral/signature.ts';
import type { Finish } from '../../../neutral/generation.ts';
import type { TokenUsage } from '../../../neutral/usage.ts';
import type { AnswerContext, PartsWriter } from '../../text-protocol.ts';
import { writeError, writeEvent } from '../error.ts';
import { writeFinish } from '../finish-reason.ts';
import { writeDeltaUsage, writeUsage } from '../usage.ts';
import { NAME } from '../wire.ts';
import { BlockWriter } from './block-writer.ts';
import { messageHead } from './write-result.ts';

export class MessagesStreamWriter implements PartsWriter {
  readonly #context: AnswerContext;
  /** Blocks begun and not yet written to their end, in the order of their beginning. */
  readonly #waiting = new Map<number, BlockWriter>();
  #nextIndex = 0;
  #started = false;
  #callsTools = false;
  #refusal: string | undefined;

  constructor(context: AnswerContext) {
    this.#context = context;
  }

  write(part: StreamPart): string {
    if (part.type === 'error')
      return writeEvent(writeError({ message: part.message, type: '', code: part.code ?? '' }));
    if (part.type === 'start') return this.#start(part.usage);
    const begin = this.#start(undefined);
    if (part.type === 'finish') return begin + this.#finish(part.finish, part.usage);
    if (part.type === 'block-start') this.#begin(part.index, part.block);
    else this.#add(part);
    return begin + this.#advance();
  }

  #start(usage: TokenUsage | undefined): string {
    if (this.#started) return '';
    this.#started = true;
    const stop = { stop_reason: null, stop_sequence: null, stop_details: null };
    const message = { ...messageHead(this.#context), content: [], ...stop, usage: writeUsage(usage) };
    return writeEvent({ type: 'message_start', message });
  }

  #begin(index: number, block: BlockStart): void {
    if (block.type === 'tool-call') this.#callsTools = true;
    if (block.type === 'refusal') this.#refusal ??= '';
    this.#waiting.set(index, new BlockWriter(block, (signature) => writeSignature(signature, NAME)));
  }

  #add(part: Extract<StreamPart, { index: number }>): void {
    const block = this.#waiting.get(part.index);
    if (block === undefined) return;
    if (part.type === 'delta' && block.type === 'refusal') this.#refusal = (this.#refusal ?? '') + part.text;
    block.add(part);
  }

  /** Writes what the first block has to say; once it is over, the next one follows. */
  #advance(): string {
    let text = '';
    for (const [index, block] of this.#waiting) {
      const { events, used } = block.take(this.#nextIndex);
      text += events;
      if (!block.isOver) break;
      this.#nextIndex += used;
      this.#waiting.delete(index);
    }
    return text;
  }

  #finish(finish: Finish, usage: TokenUsage | undefined): string {
    for (const [index, block] of this.#waiting) block.add({ type: 'block-end', index });
    const blocks = this.#advance();
    const ending = { callsTools: this.#callsTools, refusal: this.#refusal };
    const delta = { ...writeFinish(finish, ending), container: null };
    return (
      blocks +
      writeEvent({ type: 'message_delta', delta, usage: writeDeltaUsage(usage) }) +
      writeEvent({ type: 'message_stop' })
    );
  }
}
